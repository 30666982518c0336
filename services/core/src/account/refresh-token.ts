import { refresh } from '@gatehouse/accounts';
import { accountCondition, refusedCaller } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { TokenSetAnswer } from './token-set.ts';

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
  errors: [
    'token_invalid',
    'session_replaced',
    'session_deactivated',
    'session_expired',
    'session_ended',
    'account_disabled',
    'account_expired',
    'new_password_required',
  ],
  handler: async ({ body, deps, request }) => {
    const outcome = await refresh(deps, body.RefreshToken, request);
    if ('condition' in outcome) throw accountCondition(outcome.condition);
    if ('refused' in outcome) throw refusedCaller(outcome);
    return outcome.tokens;
  },
});
