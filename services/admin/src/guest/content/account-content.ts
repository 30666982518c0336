import { accounts, countRows, notEnded } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { computed, record, time, timeOrNull } from '@gatehouse/kit';
import { Enum, Nullable, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';

const Relation = Enum(['Access', 'Owner', 'Pending']);
const paging = createPaging(Type.Object({ OfContent: Uuid(), Relation }));

const RELATED = `
  select id, 'Owner' as relation, created_at as since, cast(null as uuid) as by,
    cast(null as timestamptz) as expires_at
  from content_definition where owner_id = :accountId
  union all
  select content_definition_id, 'Access', granted_at, granted_by, expires_at
  from content_access where account_id = :accountId and ${notEnded('expires_at')}
  union all
  select content_definition_id, 'Pending', invited_at, invited_by, access_expires_at
  from invitation where account_id = :accountId and accepted_at is null and deleted_at is null and ${notEnded('access_expires_at')}`;

/** Content that an account owns, has access to, or is invited to; the link of an invitation may have expired. */
const AccountContent = record(
  'content_definition',
  {
    contentDefinitionId: computed(Uuid(), 'c.id'),
    name: computed(Type.String(), 'c.name'),
    kind: computed(Enum(['LiveChannel', 'Recording', 'Document']), 'c.kind'),
    relation: Relation,
    since: time(),
    by: Nullable(Uuid(), {
      description: 'The account or API token that granted access or sent the invitation; null if unknown',
    }),
    expiresAt: timeOrNull({ description: 'When the access ends; null means never' }),
  },
  {
    name: 'AccountContent',
    from: { tables: `(${RELATED}) r join content_definition c using (id)`, alias: 'r' },
  },
);

export const listAccountContent = route('GET /admin/account/:id/content', {
  operationId: 'listAccountContent',
  tag: 'Accounts',
  summary: 'List the content of an account, newest first',
  description:
    'Content that the account owns, has access to, or is invited to (also if the link has expired). Content with ' +
    'several relations is listed once for each.',
  query: Type.Object({ ...pagingQuery(), ...countQuery() }),
  response: CountedPage(AccountContent.Answer),
  errors: ['not_found'],
  handler: async ({ params: { id: accountId }, query, deps, request, refuse }) => {
    if ((await accounts.findById(deps.db, accountId)) === undefined)
      throw refuse('not_found', 'Account not found');
    const key = paging.read(query.cursor);
    const [rows, counted] = await Promise.all([
      AccountContent.rows(
        deps.db,
        `${key === undefined ? '' : 'where (c.id, r.relation) < (cast(:id as uuid), :relation)'}
         order by c.id desc, r.relation desc
         limit :max`,
        { accountId, id: key?.OfContent, relation: key?.Relation, max: query.limit + 1 },
      ),
      query.count === true
        ? countRows(deps, { sql: `select 1 from (${RELATED}) r`, bindings: { accountId } }, request)
        : undefined,
    ]);
    const page = paging.page(rows, query.limit, {
      key: ({ contentDefinitionId, relation }) => ({ OfContent: contentDefinitionId, Relation: relation }),
      item: AccountContent.answer,
    });
    return { ...page, ...countFields(counted) };
  },
});
