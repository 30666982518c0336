import { refresh } from '@gatehouse/accounts';
import { ACCOUNT_CONDITIONS, accountCondition, refusedCaller, SESSION_REFUSALS } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { TokenSetAnswer } from './login/token-set.ts';

export const refreshToken = route({
  method: 'post',
  path: '/account/refresh-token',
  operationId: 'refreshToken',
  tag: 'Sessions',
  summary: 'Refresh the access token',
  description:
    'The refresh token remains valid. Clients that switch to the new refresh token from each response benefit ' +
    'from token theft detection.',
  access: 'public',
  body: Type.Object({ RefreshToken: Type.String({ minLength: 1, maxLength: 512 }) }),
  response: TokenSetAnswer,
  errors: ['token_invalid', ...SESSION_REFUSALS, ...ACCOUNT_CONDITIONS],
  handler: async ({ body, deps, request, refuse }) => {
    const outcome = await refresh(deps, body.RefreshToken, request);
    switch (outcome.kind) {
      case 'refreshed':
        return outcome.tokens;
      case 'condition':
        throw accountCondition(refuse, outcome.condition);
      case 'refused':
        throw refusedCaller(refuse, outcome);
    }
  },
});
