import { removeTwoFactor } from '@gatehouse/accounts';
import { tooManyFailures } from '@gatehouse/http';
import { TwoFactorCode, Type, typedCode } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const removeOwnTwoFactor = route({
  method: 'delete',
  path: '/account/two-factor',
  operationId: 'removeTwoFactor',
  tag: 'Two-factor authentication',
  summary: 'Disable two-factor authentication',
  description:
    'Requires a code from the authenticator app or a recovery code. A wrong code counts as a failed login.',
  access: 'session',
  body: Type.Object({ TwoFactorCode: TwoFactorCode() }),
  response: Type.Object({}),
  errors: ['wrong_code', 'forbidden', 'conflict', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const code = typedCode(body.TwoFactorCode);
    const own = { accountId: caller.accountId, code, addressGroup: request.addressGroup };
    const outcome = await removeTwoFactor(deps, own, request);
    switch (outcome.kind) {
      case 'removed':
        return {};
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
      case 'failed':
        throw refuse('wrong_code');
      case 'forbidden':
        throw refuse('forbidden', 'Two-factor authentication is required for this account');
      case 'conflict':
        throw refuse('conflict', 'Two-factor authentication is not enabled');
    }
  },
});
