import { countRows } from '@gatehouse/accounts';
import { apiTokens } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
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
  description:
    'Includes revoked tokens. The token values are not stored and cannot be shown. `createdBy` is the ID of the ' +
    'account or API token that created them.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    createdBy: Type.Optional(Uuid()),
  }),
  response: CountedPage(ApiTokenAnswer),
  handler: async ({ query, deps, request }) => {
    const { cursor, createdBy, limit, count } = query;
    const beforeId = paging.read(cursor)?.ApiTokenId;
    const [rows, counted] = await Promise.all([
      apiTokens.findNewest(deps.db, { beforeId, createdBy, max: limit + 1 }),
      count === true ? countRows(deps, apiTokens.rowsOf(createdBy), request) : undefined,
    ]);
    const key = ({ id }: { id: string }) => ({ ApiTokenId: id });
    return { ...paging.page(rows, limit, { key, item: apiTokenAnswer }), ...countFields(counted) };
  },
});
