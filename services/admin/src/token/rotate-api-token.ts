import { actorOf, rotateStaticToken } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { apiTokenAnswer, ApiTokenPath, NewApiToken } from './api-token-answer.ts';

const OVERLAP_SECONDS_MAX = 30 * 86_400;

export const rotateApiToken = route({
  method: 'post',
  path: '/admin/api-token/:id/rotate',
  operationId: 'rotateApiToken',
  tag: 'API tokens',
  summary: 'Replace a static API token',
  description:
    'Creates a token with the same name, role and networks, which is shown only in this response. The older one ' +
    'works for `OverlapSeconds` more, so that both are valid while callers switch to the new one. If the older ' +
    'one has an expiry, the new one gets the same lifetime, starting now. Returns 409 if it is revoked, expired ' +
    'or already replaced.',
  access: ['Admin'],
  recent: 'session',
  params: ApiTokenPath,
  body: Type.Object({ OverlapSeconds: Type.Integer({ minimum: 0, maximum: OVERLAP_SECONDS_MAX }) }),
  response: NewApiToken,
  status: 201,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const wanted = { id: params.id, overlapSeconds: body.OverlapSeconds, actor: actorOf(caller) };
    const rotated = await rotateStaticToken(deps, wanted, request);
    switch (rotated.kind) {
      case 'unknown':
        throw refuse('not_found', 'API token not found');
      case 'ended':
        throw refuse('conflict', 'The API token is revoked, expired or already replaced');
      case 'rotated':
        return { ...apiTokenAnswer(rotated.kept), Token: rotated.token };
    }
  },
});
