import { countRows } from '@gatehouse/accounts';
import { contentDefinitions, contentMembers, type ContentDefinition, type Db } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { Text, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { contentAnswer, COUNTED_MAX, Kind, ListedContentAnswer } from './content-answer.ts';

const paging = createPaging(Type.Object({ ContentDefinitionId: Uuid() }));

export const listContents = route({
  method: 'get',
  path: '/admin/content-definition',
  operationId: 'listContentDefinitions',
  tag: 'Content',
  summary: 'List content, newest first',
  description:
    '`search` matches part of the name, case-insensitively; with one or two letters it matches only the beginning ' +
    'of a word. An ID finds that content. With a large amount of content, a page of results can contain fewer than ' +
    '`limit` items, or none, and still have a `NextCursor`.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    search: Type.Optional(Text(200)),
    kind: Type.Optional(Kind),
    ownerId: Type.Optional(Uuid()),
    members: Type.Optional(Type.Boolean({ description: 'Whether to count the members of each content' })),
  }),
  response: CountedPage(ListedContentAnswer),
  handler: async ({ query, deps, request }) => {
    const page = { beforeId: paging.read(query.cursor)?.ContentDefinitionId, max: query.limit };
    const { search, kind, ownerId } = query;
    const isId = search !== undefined && UUID.test(search);
    const filter = { kind, ownerId, ...(isId ? { id: search } : { search }) };
    const [{ contents, nextBeforeId }, counted] = await Promise.all([
      contentDefinitions.findNewest(deps.db, filter, page),
      query.count === true ? countRows(deps, contentDefinitions.rowsOf(filter), request) : undefined,
    ]);
    const counts = query.members === true ? await countMembers(deps.db, contents) : undefined;
    return {
      Items: contents.map((content) => ({ ...contentAnswer(content), ...counts?.get(content.id) })),
      ...(nextBeforeId !== undefined && { NextCursor: paging.cursor({ ContentDefinitionId: nextBeforeId }) }),
      ...countFields(counted),
    };
  },
});

async function countMembers(db: Db, contents: readonly ContentDefinition[]) {
  const ids = contents.map(({ id }) => id);
  const counted = await contentMembers.countMembers(db, ids, COUNTED_MAX);
  return new Map(
    counted.map(({ id, access, pending }) => [id, { AccessCount: access, PendingCount: pending }]),
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
