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
    if ('condition' in outcome) throw accountCondition(refuse, outcome.condition);
    if ('refused' in outcome) throw refusedCaller(refuse, outcome);
    return outcome.tokens;
  },
});
