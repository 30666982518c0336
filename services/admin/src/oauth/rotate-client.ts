import { actorOf, rotateClientSecret } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { clientAnswer, ClientPath, NewClientAnswer, refusedClient } from './client-answer.ts';

const OVERLAP_SECONDS_MAX = 30 * 86_400;

export const rotateClient = route({
  method: 'post',
  path: '/admin/oauth-client/:id/rotate',
  operationId: 'rotateOAuthClientSecret',
  tag: 'Applications',
  summary: 'Replace the secret of an application',
  description:
    'The new secret is shown only in this response. The present one works for `OverlapSeconds` more; one that was ' +
    'replaced before stops working. Returns 409 for a public client.',
  access: ['Admin'],
  recent: true,
  params: ClientPath,
  body: Type.Object({ OverlapSeconds: Type.Integer({ minimum: 0, maximum: OVERLAP_SECONDS_MAX }) }),
  response: NewClientAnswer,
  status: 201,
  errors: ['not_found', 'client_declared', 'conflict'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    request.addToLog({ clientId: params.id });
    const wanted = { id: params.id, overlapSeconds: body.OverlapSeconds };
    const outcome = await rotateClientSecret(deps, wanted, { actor: actorOf(caller), origin: request });
    if (outcome.kind === 'public') throw refuse('conflict', 'A public client has no secret');
    if (outcome.kind !== 'rotated') throw refusedClient(refuse, outcome);
    return { ...clientAnswer(outcome.client), Secret: outcome.secret };
  },
});
