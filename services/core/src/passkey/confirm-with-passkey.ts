import { requestOwnPasskey } from '@gatehouse/accounts';
import { PasskeyChallenge, passkeyChallenge } from '@gatehouse/http';
import { route } from '../deps.ts';

export const confirmWithPasskey = route({
  method: 'post',
  path: '/account/passkey/confirmation',
  operationId: 'beginPasskeyConfirmation',
  tag: 'Passkeys',
  summary: 'Start a proof of identity with a passkey',
  description:
    'Returns the options for signing with one of your passkeys. Send the result and the token in requests that ' +
    'require a proof.',
  access: 'session',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ caller, deps, request, refuse }) => {
    const own = { accountId: caller.accountId, addressGroup: request.addressGroup };
    return passkeyChallenge(refuse, await requestOwnPasskey(deps, own, request));
  },
});
