import { requestAnyPasskey } from '@gatehouse/accounts';
import { PasskeyChallenge, passkeyChallenge } from '@gatehouse/http';
import { route } from '../deps.ts';

export const requestPasskey = route({
  method: 'post',
  path: '/account/login/passkey',
  operationId: 'beginPasskeyLogin',
  tag: 'Sessions',
  summary: 'Begin a login with a passkey',
  description:
    'Returns the options with which the browser asks a passkey to sign, and a token for `POST /account/login`. ' +
    'The response is the same for everybody. Limited to 20 a minute for each IP address.',
  access: 'public',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ deps, request, refuse }) => {
    return passkeyChallenge(refuse, await requestAnyPasskey(deps, request.addressGroup, request));
  },
});
