import { actorOf, deleteClient as deleteIt } from '@gatehouse/accounts';
import { route } from '../deps.ts';
import { ClientPath, refusedClient } from './client-answer.ts';

export const deleteClient = route({
  method: 'delete',
  path: '/admin/oauth-client/:id',
  operationId: 'deleteOAuthClient',
  tag: 'Applications',
  summary: 'Delete an application',
  description:
    'Everybody is signed out of it at once, and consents to it are deleted. Their sessions here continue.',
  access: ['Admin'],
  recent: 'session',
  params: ClientPath,
  errors: ['not_found', 'client_declared'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    request.addToLog({ clientId: params.id });
    const outcome = await deleteIt(deps, params.id, { actor: actorOf(caller), origin: request });
    if (outcome.kind !== 'deleted') throw refusedClient(refuse, outcome);
    return undefined;
  },
});
