import { apiTokens } from '@gatehouse/db';
import { createPaging, Page, pagingQuery } from '@gatehouse/http';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { apiTokenAnswer, ApiTokenAnswer } from './api-token-answer.ts';

const paging = createPaging(Type.Object({ ApiTokenId: Uuid() }));

export const listApiTokens = route({
  method: 'get',
  path: '/admin/api-token',
  operationId: 'listApiTokens',
  tag: 'API tokens',
  summary: 'List static API tokens, newest first',
  description: 'Includes revoked tokens. The token values are not stored and cannot be shown.',
  access: ['Admin'],
  query: Type.Object(pagingQuery()),
  response: Page(ApiTokenAnswer),
  handler: async ({ query, deps }) => {
    const beforeId = paging.read(query.cursor)?.ApiTokenId;
    const rows = await apiTokens.findNewest(deps.db, { beforeId, max: query.limit + 1 });
    const key = ({ id }: { id: string }) => ({ ApiTokenId: id });
    return paging.page(rows, query.limit, { key, item: apiTokenAnswer });
  },
});
