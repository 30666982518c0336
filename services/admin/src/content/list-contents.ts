import { contentDefinitions } from '@gatehouse/db';
import { createPaging, Page, pagingQuery } from '@gatehouse/http';
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
  query: Type.Object(pagingQuery()),
  response: Page(ContentAnswer),
  handler: async ({ query, deps }) => {
    const beforeId = paging.read(query.cursor)?.ContentDefinitionId;
    const rows = await contentDefinitions.findNewest(deps.db, { beforeId, max: query.limit + 1 });
    const key = ({ id }: { id: string }) => ({ ContentDefinitionId: id });
    return paging.page(rows, query.limit, { key, item: contentAnswer });
  },
});
