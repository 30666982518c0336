import { actorOf, revokeStaticToken } from '@gatehouse/accounts';
import { route } from '../deps.ts';
import { ApiTokenPath } from './api-token-answer.ts';

export const deleteApiToken = route({
  method: 'delete',
  path: '/admin/api-token/:id',
  operationId: 'revokeApiToken',
  tag: 'API tokens',
  summary: 'Revoke a static API token',
  description:
    'All services reject the token within half a second. It remains in the list as revoked. Revoking it again ' +
    'has no effect.',
  access: ['Admin'],
  recent: 'session',
  params: ApiTokenPath,
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const isKnown = await revokeStaticToken(deps, { id: params.id, actor: actorOf(caller) }, request);
    if (!isKnown) throw refuse('not_found', 'API token not found');
    return undefined;
  },
});
