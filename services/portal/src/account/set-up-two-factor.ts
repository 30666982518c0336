import { confirmTwoFactor, startTwoFactor } from '@gatehouse/accounts';
import { addressGroup, ApiError, tooManyFailures, type RequestFacts } from '@gatehouse/http';
import { TwoFactorCode, Type, typedCode } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

export const setUpTwoFactor = route({
  method: 'post',
  path: '/account/two-factor',
  operationId: 'setUpTwoFactor',
  tag: 'Two-factor authentication',
  summary: 'Set up two-factor authentication',
  description:
    'Without a code it gives a secret for an authenticator app, a new one each time; with a code of that app ' +
    'two-factor is on from then. A wrong code counts like a wrong password.',
  access: 'session',
  body: Type.Object({ TwoFactorCode: TwoFactorCode() }),
  response: Type.Union([
    Type.Object({
      TwoFactorSetup: Type.Object({
        Secret: Type.String({ description: 'For typing into an authenticator app (base 32)' }),
        OtpAuthUri: Type.String({ description: 'The same for a QR code' }),
      }),
    }),
    Type.Object({
      RecoveryCodes: Type.Array(Type.String(), {
        description: 'Each stands in for a code once. They are shown this once.',
      }),
    }),
  ]),
  errors: ['wrong_code', 'conflict', 'too_many_requests'],
  handler: ({ body, caller, deps, request }) =>
    body.TwoFactorCode === undefined
      ? start(deps, caller.accountId, request)
      : confirm(deps, caller.accountId, typedCode(body.TwoFactorCode), request),
});

async function start(deps: Deps, accountId: string, request: RequestFacts) {
  const setup = await startTwoFactor(deps, accountId, request);
  if (setup === undefined) throw new ApiError('conflict', 'Two-factor authentication is on already');
  return { TwoFactorSetup: setup };
}

async function confirm(deps: Deps, accountId: string, code: string, request: RequestFacts) {
  const own = { accountId, code, addressGroup: addressGroup(request.address) };
  const outcome = await confirmTwoFactor(deps, own, request);
  if ('retryAfterSeconds' in outcome) throw tooManyFailures(outcome);
  if ('failed' in outcome) throw new ApiError('wrong_code');
  if ('conflict' in outcome)
    throw new ApiError('conflict', 'No set-up waits for a code: ask for a secret first');
  return { RecoveryCodes: outcome.recoveryCodes };
}
