import { contentMembers } from '@gatehouse/db';
import { createPaging, Page, pagingQuery } from '@gatehouse/http';
import { contentAddress, Enum, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

const paging = createPaging(Type.Object({ OwnContentId: Uuid() }));

const OwnContent = Type.Object(
  {
    Id: Uuid(),
    Name: Type.String(),
    Kind: Enum(['LiveChannel', 'Recording', 'Document']),
    Relation: Enum(['Owner', 'Access']),
    Since: Timestamp(),
    Url: Type.Optional(
      Type.String({ description: 'The URL of the content, if `CONTENT_URL` is configured' }),
    ),
    ExpiresAt: Nullable(Timestamp(), { description: 'When the access ends; null means never' }),
  },
  { title: 'OwnContent' },
);

export const listOwnContent = route({
  method: 'get',
  path: '/account/content',
  operationId: 'listOwnContent',
  tag: 'Guests',
  summary: 'List the content that you own or have access to',
  description:
    'Newest first. `Since` is when the content was created, for its owner, or when access was granted.',
  access: 'session',
  query: Type.Object(pagingQuery()),
  response: Page(OwnContent),
  handler: async ({ query, caller, deps }) => {
    const page = { beforeId: paging.read(query.cursor)?.OwnContentId, max: query.limit + 1 };
    const rows = await contentMembers.findOwn(deps.db, caller.accountId, page);
    return paging.page(rows, query.limit, {
      key: ({ id }) => ({ OwnContentId: id }),
      item: ({ id, name, kind, relation, since, expiresAt }) => ({
        Id: id,
        Name: name,
        Kind: kind,
        Relation: relation,
        Since: since.toISOString(),
        ...(deps.contentUrl !== undefined && { Url: contentAddress(deps.contentUrl, id) }),
        ExpiresAt: expiresAt?.toISOString() ?? null,
      }),
    });
  },
});
