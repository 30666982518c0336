import { renewRecoveryCodes } from '@gatehouse/accounts';
import { addressGroup, tooManyFailures } from '@gatehouse/http';
import { TwoFactorCode, Type, typedCode } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const renewOwnRecoveryCodes = route({
  method: 'post',
  path: '/account/recovery-codes',
  operationId: 'renewRecoveryCodes',
  tag: 'Two-factor authentication',
  summary: 'Get new recovery codes',
  description:
    'Requires a code from the authenticator app or a recovery code. All earlier recovery codes become invalid. A ' +
    'wrong code counts as a failed login.',
  access: 'session',
  body: Type.Object({ TwoFactorCode: TwoFactorCode() }),
  response: Type.Object({
    RecoveryCodes: Type.Array(Type.String(), {
      description: 'Each code can be used once. Shown only in this response.',
    }),
  }),
  errors: ['wrong_code', 'conflict', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const code = typedCode(body.TwoFactorCode);
    const own = { accountId: caller.accountId, code, addressGroup: addressGroup(request.address) };
    const outcome = await renewRecoveryCodes(deps, own, request);
    switch (outcome.kind) {
      case 'new_codes':
        return { RecoveryCodes: outcome.recoveryCodes };
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
      case 'failed':
        throw refuse('wrong_code');
      case 'conflict':
        throw refuse('conflict', 'Two-factor authentication is not enabled');
    }
  },
});
