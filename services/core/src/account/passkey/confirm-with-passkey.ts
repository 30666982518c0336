import { requestOwnPasskey } from '@gatehouse/accounts';
import { addressGroup, PasskeyAsk, tooManyChallenges } from '@gatehouse/http';
import { route } from '../../deps.ts';

export const confirmWithPasskey = route({
  method: 'post',
  path: '/account/passkey/confirmation',
  operationId: 'beginPasskeyConfirmation',
  tag: 'Passkeys',
  summary: 'Begin to prove who you are with a passkey',
  description:
    'Returns what the browser asks one of your passkeys to sign. Send the result with the token where a proof is required.',
  access: 'session',
  response: PasskeyAsk,
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
