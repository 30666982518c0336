import { apiTokens } from '@gatehouse/db';
import { route } from '../deps.ts';
import { apiTokenAnswer, ApiTokenAnswer, ApiTokenPath } from './api-token-answer.ts';

export const getApiToken = route({
  method: 'get',
  path: '/admin/api-token/:id',
  operationId: 'getApiToken',
  tag: 'API tokens',
  summary: 'Get a static API token',
  description: 'Includes revoked tokens. The token value is not stored and cannot be shown.',
  access: ['Admin'],
  params: ApiTokenPath,
  response: ApiTokenAnswer,
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const token = await apiTokens.findById(deps.db, params.id);
    if (token === undefined) throw refuse('not_found', 'API token not found');
    return apiTokenAnswer(token);
  },
});
