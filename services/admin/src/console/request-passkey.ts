import { requestAnyPasskey } from '@gatehouse/accounts';
import { addressGroup, PasskeyChallenge, tooManyChallenges } from '@gatehouse/http';
import { route } from '../deps.ts';

export const requestConsolePasskey = route({
  method: 'post',
  path: '/console/session/passkey',
  operationId: 'beginConsolePasskeyLogin',
  tag: 'Console',
  summary: 'Begin to sign in to the console with a passkey',
  description: 'As `/account/login/passkey`; the token is for `POST /console/session`.',
  access: 'public',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ deps, request, refuse }) => {
    const outcome = await requestAnyPasskey(deps, addressGroup(request.address), request);
    switch (outcome.kind) {
      case 'asked':
        return { PasskeyToken: outcome.token, Options: outcome.options };
      case 'off':
        throw refuse('conflict', 'Passkeys are off');
      case 'throttled':
        throw tooManyChallenges(refuse, outcome);
    }
  },
});
