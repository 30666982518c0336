import { countRows } from '@gatehouse/accounts';
import { apiTokens } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { apiTokenAnswer, ApiTokenAnswer } from './api-token-answer.ts';

const paging = pagingById('ApiTokenId');

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
  query: Type.Object({ ...pagingQuery(), ...countQuery(), createdBy: Type.Optional(Uuid()) }),
  response: CountedPage(ApiTokenAnswer),
  handler: ({ query, deps, request }) => {
    const { createdBy } = query;
    return paging.answer(query, {
      find: (page) => apiTokens.findNewest(deps.db, { createdBy }, page),
      count: () => countRows(deps, apiTokens.rowsOf({ createdBy }), request),
      items: (rows) => rows.map(apiTokenAnswer),
    });
  },
});
