import { ownSession, renewRecoveryCodes } from '@gatehouse/accounts';
import { confirmationRequired, invalidRequest, tooManyFailures } from '@gatehouse/http';
import { TwoFactorCode, Type, typedCode } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const renewOwnRecoveryCodes = route({
  method: 'post',
  path: '/account/recovery-codes',
  operationId: 'renewRecoveryCodes',
  tag: 'Two-factor authentication',
  summary: 'Get new recovery codes',
  description:
    'Requires a code from the authenticator app or a recovery code, or, for an account with a passkey, a ' +
    'login within the last five minutes. All earlier recovery codes become invalid. A wrong code counts ' +
    'as a failed login.',
  access: 'session',
  body: Type.Object({ TwoFactorCode: Type.Optional(TwoFactorCode()) }),
  response: Type.Object({
    RecoveryCodes: Type.Array(Type.String(), {
      description: 'Each code can be used once. Shown only in this response.',
    }),
  }),
  errors: ['wrong_code', 'confirmation_required', 'conflict', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const code = body.TwoFactorCode === undefined ? undefined : typedCode(body.TwoFactorCode);
    const own = { ...ownSession(caller), code, addressGroup: request.addressGroup };
    const outcome = await renewRecoveryCodes(deps, own, request);
    switch (outcome.kind) {
      case 'new_codes':
        return { RecoveryCodes: outcome.recoveryCodes };
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
      case 'failed':
        throw refuse('wrong_code');
      case 'unconfirmed':
        throw confirmationRequired(refuse);
      case 'unproven':
        throw invalidRequest(undefined, {
          errors: [{ pointer: '/TwoFactorCode', message: 'is required', code: 'required' }],
        });
      case 'conflict':
        throw refuse('conflict', 'Two-factor authentication is not enabled');
    }
  },
});
