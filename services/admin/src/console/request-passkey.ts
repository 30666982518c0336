import { requestAnyPasskey } from '@gatehouse/accounts';
import { PasskeyChallenge, passkeyChallenge } from '@gatehouse/http';
import { route } from '../deps.ts';

export const requestConsolePasskey = route({
  method: 'post',
  path: '/console/session/passkey',
  operationId: 'beginConsolePasskeyLogin',
  tag: 'Console',
  summary: 'Begin a console login with a passkey',
  description: 'Like `/account/login/passkey`; the token is for `POST /console/session`.',
  access: 'public',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ deps, request, refuse }) => {
    return passkeyChallenge(refuse, await requestAnyPasskey(deps, request.addressGroup, request));
  },
});
