import { requestOwnPasskey } from '@gatehouse/accounts';
import { PasskeyChallenge, passkeyChallenge } from '@gatehouse/http';
import { route } from '../deps.ts';

export const requestConsoleConfirmation = route({
  method: 'post',
  path: '/console/session/confirm/passkey',
  operationId: 'beginConsoleConfirmation',
  tag: 'Console',
  summary: 'Start a confirmation with a passkey',
  description:
    'Returns the options for signing with one of your passkeys, for `POST /console/session/confirm`. Returns ' +
    '409 if you have none.',
  access: 'admin session',
  recent: { never: 'it begins such a proof' },
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ caller, deps, request, refuse }) => {
    const own = { accountId: caller.accountId, addressGroup: request.addressGroup };
    return passkeyChallenge(refuse, await requestOwnPasskey(deps, own, request));
  },
});
