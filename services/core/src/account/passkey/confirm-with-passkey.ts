import { requestOwnPasskey } from '@gatehouse/accounts';
import { addressGroup, PasskeyChallenge, tooManyChallenges } from '@gatehouse/http';
import { route } from '../../deps.ts';

export const confirmWithPasskey = route({
  method: 'post',
  path: '/account/passkey/confirmation',
  operationId: 'beginPasskeyConfirmation',
  tag: 'Passkeys',
  summary: 'Start a proof of identity with a passkey',
  description:
    'Returns the options for signing with one of your passkeys. Send the result with the token where a proof is required.',
  access: 'session',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ caller, deps, request, refuse }) => {
    const own = { accountId: caller.accountId, addressGroup: addressGroup(request.address) };
    const outcome = await requestOwnPasskey(deps, own, request);
    switch (outcome.kind) {
      case 'asked':
        return { PasskeyToken: outcome.token, Options: outcome.options };
      case 'off':
        throw refuse('conflict', 'Passkeys are off');
      case 'none':
        throw refuse('conflict', 'The account has no passkey');
      case 'throttled':
        throw tooManyChallenges(refuse, outcome);
    }
  },
});
