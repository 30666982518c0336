import { countRows } from '@gatehouse/accounts';
import { accountAdmin, accountContent, type AccountContent } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { Enum, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { AccountPath, unknownAccount } from '../../account-answer.ts';

const Relation = Enum(accountContent.CONTENT_RELATIONS);
const paging = createPaging(Type.Object({ OfContent: Uuid(), Relation }));

const ContentOfAccount = Type.Object(
  {
    ContentDefinitionId: Uuid(),
    Name: Type.String(),
    Kind: Enum(['LiveChannel', 'Recording', 'Document']),
    Relation,
    Since: Timestamp(),
    By: Nullable(Uuid(), {
      description: 'The account or API token that granted access or sent the invitation; null if unknown',
    }),
    ExpiresAt: Nullable(Timestamp(), { description: 'When the access ends; null means never' }),
  },
  { title: 'AccountContent' },
);

export const listAccountContent = route({
  method: 'get',
  path: '/admin/account/:id/content',
  operationId: 'listAccountContent',
  tag: 'Accounts',
  summary: 'List the content of an account, newest first',
  description:
    'Content that the account owns, has access to, or is invited to (also if the link has expired). Content with ' +
    'several relations is listed once for each.',
  access: ['Admin'],
  params: AccountPath,
  query: Type.Object({ ...pagingQuery(), ...countQuery() }),
  response: CountedPage(ContentOfAccount),
  errors: ['not_found'],
  handler: async ({ params, query, deps, request, refuse }) => {
    if ((await accountAdmin.find(deps.db, params.id)) === undefined) throw unknownAccount(refuse);
    const key = paging.read(query.cursor);
    const before = key && { id: key.OfContent, relation: key.Relation };
    const [rows, counted] = await Promise.all([
      accountContent.findNewest(deps.db, params.id, { before, max: query.limit + 1 }),
      query.count === true ? countRows(deps, accountContent.rowsOf(params.id), request) : undefined,
    ]);
    const page = paging.page(rows, query.limit, {
      key: ({ id, relation }) => ({ OfContent: id, Relation: relation }),
      item: contentOfAccount,
    });
    return { ...page, ...countFields(counted) };
  },
});

function contentOfAccount({ id, name, kind, relation, since, by, expiresAt }: AccountContent) {
  return {
    ContentDefinitionId: id,
    Name: name,
    Kind: kind,
    Relation: relation,
    Since: since.toISOString(),
    By: by,
    ExpiresAt: expiresAt?.toISOString() ?? null,
  };
}
