import { linkIdentity } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const finishLink = route({
  method: 'post',
  path: '/account/identity',
  operationId: 'linkIdentity',
  tag: 'Single sign-on',
  summary: 'Link the identity of a sign-on to your account',
  description:
    'Accepts the code of a sign-on that this session began with `POST /account/identity/{provider}`. It works ' +
    'once, within a minute. Returns 409 `identity_taken` if the identity is linked to another account, and ' +
    '`conflict` if yours has another identity of this provider.',
  access: 'session',
  body: Type.Object({ IdentityCode: Type.String({ minLength: 1, maxLength: 512 }) }),
  response: Type.Object({ Provider: Type.String() }),
  errors: ['invalid_code', 'identity_taken', 'conflict'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const { accountId, sessionId } = caller;
    const outcome = await linkIdentity(deps, { accountId, sessionId, code: body.IdentityCode }, request);
    switch (outcome.kind) {
      case 'linked':
        return { Provider: outcome.provider };
      case 'failed':
        throw refuse('invalid_code');
      case 'taken':
        throw refuse('identity_taken');
      case 'occupied':
        throw refuse('conflict', 'Your account has another identity of this provider; unlink it first');
    }
  },
});
