import { countRows } from '@gatehouse/accounts';
import { contentDefinitions, contentMembers, type ContentDefinition, type Db } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { isUuid, Text, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { by, defineFilters } from '@gatehouse/kit';
import { contentAnswer, COUNTED_MAX, Kind, ListedContentAnswer } from './content-answer.ts';

const paging = pagingById('ContentDefinitionId');

const filters = defineFilters({ search: by(Text(200)), kind: by(Kind), ownerId: by(Uuid()) });

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
    ...filters.query,
    members: Type.Optional(Type.Boolean({ description: 'Whether to count the members of each content' })),
  }),
  response: CountedPage(ListedContentAnswer),
  handler: ({ query, deps, request }) => {
    const { search, ...others } = filters.ofQuery(query);
    const filter = { ...others, ...(search !== undefined && isUuid(search) ? { id: search } : { search }) };
    return paging.answer(query, {
      find: (page) => contentDefinitions.findNewest(deps.db, filter, page),
      count: () => countRows(deps, contentDefinitions.rowsOf(filter), request),
      items: async (contents) => {
        const counts = query.members === true ? await countMembers(deps.db, contents) : undefined;
        return contents.map((content) => ({ ...contentAnswer(content), ...counts?.get(content.id) }));
      },
    });
  },
});

async function countMembers(db: Db, contents: readonly ContentDefinition[]) {
  const ids = contents.map(({ id }) => id);
  const counted = await contentMembers.countMembers(db, ids, COUNTED_MAX);
  return new Map(
    counted.map(({ id, access, pending }) => [id, { AccessCount: access, PendingCount: pending }]),
  );
}
