import { countRows } from '@gatehouse/accounts';
import { contentDefinitions } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { contentAnswer, ContentAnswer } from './content-answer.ts';

const paging = createPaging(Type.Object({ ContentDefinitionId: Uuid() }));

export const listContents = route({
  method: 'get',
  path: '/admin/content-definition',
  operationId: 'listContentDefinitions',
  tag: 'Content',
  summary: 'List content, newest first',
  access: ['Admin'],
  query: Type.Object({ ...pagingQuery(), ...countQuery() }),
  response: CountedPage(ContentAnswer),
  handler: async ({ query, deps, request }) => {
    const beforeId = paging.read(query.cursor)?.ContentDefinitionId;
    const [rows, counted] = await Promise.all([
      contentDefinitions.findNewest(deps.db, { beforeId, max: query.limit + 1 }),
      query.count === true ? countRows(deps, contentDefinitions.rowsOf(), request) : undefined,
    ]);
    const key = ({ id }: { id: string }) => ({ ContentDefinitionId: id });
    return { ...paging.page(rows, query.limit, { key, item: contentAnswer }), ...countFields(counted) };
  },
});
