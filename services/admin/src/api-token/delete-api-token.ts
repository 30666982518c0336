import { actorOf, revokeStaticToken } from '@gatehouse/accounts';
import { ApiError } from '@gatehouse/http';
import { route } from '../deps.ts';
import { ApiTokenPath } from './api-token-answer.ts';

export const deleteApiToken = route({
  method: 'delete',
  path: '/admin/api-token/:id',
  operationId: 'revokeApiToken',
  tag: 'API tokens',
  summary: 'Revoke a static API token',
  description:
    'Within half a second no service takes it any more. It stays in the list, as revoked; revoking it again changes nothing.',
  access: ['Admin'],
  params: ApiTokenPath,
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request }) => {
    const isKnown = await revokeStaticToken(deps, { id: params.id, actor: actorOf(caller) }, request);
    if (!isKnown) throw new ApiError('not_found', 'There is no such token');
    return undefined;
  },
});
