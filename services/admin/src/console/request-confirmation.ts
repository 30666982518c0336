import { requestOwnPasskey } from '@gatehouse/accounts';
import { addressGroup, PasskeyChallenge, tooManyChallenges } from '@gatehouse/http';
import { route } from '../deps.ts';

export const requestConsoleConfirmation = route({
  method: 'post',
  path: '/console/session/confirm/passkey',
  operationId: 'beginConsoleConfirmation',
  tag: 'Console',
  summary: 'Start a confirmation with a passkey',
  description:
    'Returns the options for signing with one of your passkeys, for `POST /console/session/confirm`. 409 if you have none.',
  access: 'admin session',
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
