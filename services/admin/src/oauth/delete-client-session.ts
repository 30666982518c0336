import { actorOf, endClientSession } from '@gatehouse/accounts';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const deleteClientSession = route({
  method: 'delete',
  path: '/admin/oauth-client/:id/session/:sessionId',
  operationId: 'endOAuthClientSession',
  tag: 'Applications',
  summary: 'Sign somebody out of an application',
  description: 'Its tokens stop working at once. The person’s session here continues.',
  access: ['Admin'],
  recent: { never: 'it only ends access; the next sign-in opens it again' },
  params: Type.Object({ id: Uuid(), sessionId: Uuid() }),
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const of = { id: params.sessionId, clientId: params.id };
    const isEnded = await endClientSession(deps, of, { actor: actorOf(caller), origin: request });
    if (!isEnded) throw refuse('not_found', 'Nobody is signed in with this ID');
    return undefined;
  },
});
