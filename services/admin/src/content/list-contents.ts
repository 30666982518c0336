import { countRows } from '@gatehouse/accounts';
import { contentDefinitions } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { Text, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { contentAnswer, ContentAnswer, Kind } from './content-answer.ts';

const paging = createPaging(Type.Object({ ContentDefinitionId: Uuid() }));

export const listContents = route({
  method: 'get',
  path: '/admin/content-definition',
  operationId: 'listContentDefinitions',
  tag: 'Content',
  summary: 'List content, newest first',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    search: Type.Optional(Text(200, { description: 'A part of the name in any case, or an ID' })),
    kind: Type.Optional(Kind),
    ownerId: Type.Optional(Uuid()),
  }),
  response: CountedPage(ContentAnswer),
  handler: async ({ query, deps, request }) => {
    const page = { beforeId: paging.read(query.cursor)?.ContentDefinitionId, max: query.limit + 1 };
    const { search, kind, ownerId } = query;
    const isId = search !== undefined && UUID.test(search);
    const filter = { kind, ownerId, ...(isId ? { id: search } : { search }) };
    const [rows, counted] = await Promise.all([
      contentDefinitions.findNewest(deps.db, filter, page),
      query.count === true ? countRows(deps, contentDefinitions.rowsOf(filter), request) : undefined,
    ]);
    const key = ({ id }: { id: string }) => ({ ContentDefinitionId: id });
    return { ...paging.page(rows, query.limit, { key, item: contentAnswer }), ...countFields(counted) };
  },
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
