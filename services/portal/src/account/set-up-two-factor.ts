import { beginTwoFactor, confirmTwoFactor } from '@gatehouse/accounts';
import { addressGroup, ApiError, tooManyFailures, type RequestFacts } from '@gatehouse/http';
import { Code, Password, TwoFactorCode, Type, typedCode } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

export const setUpTwoFactor = route({
  method: 'post',
  path: '/account/two-factor',
  operationId: 'setUpTwoFactor',
  tag: 'Two-factor authentication',
  summary: 'Set up two-factor authentication',
  description:
    'With the `Password` it gives a secret for an authenticator app, a new one each time; with a `TwoFactorCode` of ' +
    'that app two-factor is on from then, and the account’s other sessions end. An account without a password ' +
    'sends nothing, gets a code by mail, and sends it as `Code` in the place of the password. What is wrong counts ' +
    'like a wrong password at login.',
  access: 'session',
  body: Type.Object({
    Password: Type.Optional(Password()),
    Code: Type.Optional(Code()),
    TwoFactorCode: Type.Optional(TwoFactorCode()),
  }),
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
    Type.Object({}, { description: 'A code was mailed' }),
  ]),
  errors: ['wrong_password', 'invalid_code', 'wrong_code', 'conflict', 'too_many_requests'],
  handler: ({ body, caller, deps, request }) =>
    body.TwoFactorCode === undefined
      ? begin(deps, caller.accountId, body, request)
      : confirm(deps, caller, typedCode(body.TwoFactorCode), request),
});

async function begin(
  deps: Deps,
  accountId: string,
  { Password: password, Code: code }: { Password?: string; Code?: string },
  request: RequestFacts,
) {
  const typed = code === undefined ? undefined : typedCode(code);
  const shown = { accountId, password, code: typed, addressGroup: addressGroup(request.address) };
  const outcome = await beginTwoFactor(deps, shown, request);
  if ('setup' in outcome) return { TwoFactorSetup: outcome.setup };
  if ('mailed' in outcome) return {};
  if ('retryAfterSeconds' in outcome) throw tooManyFailures(outcome);
  if ('conflict' in outcome) throw new ApiError('conflict', 'Two-factor authentication is on already');
  if ('wrong' in outcome) throw new ApiError(outcome.wrong === 'code' ? 'invalid_code' : 'wrong_password');
  throw new ApiError('invalid_request', undefined, {
    errors: [{ pointer: '/Password', message: 'is needed, as the account has one', code: 'required' }],
  });
}

async function confirm(
  deps: Deps,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  code: string,
  request: RequestFacts,
) {
  const own = { accountId, sessionId, code, addressGroup: addressGroup(request.address) };
  const outcome = await confirmTwoFactor(deps, own, request);
  if ('retryAfterSeconds' in outcome) throw tooManyFailures(outcome);
  if ('failed' in outcome) throw new ApiError('wrong_code');
  if ('conflict' in outcome)
    throw new ApiError('conflict', 'No set-up waits for a code: ask for a secret first');
  return { RecoveryCodes: outcome.recoveryCodes };
}
