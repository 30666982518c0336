import { beginTwoFactor, confirmTwoFactor, ownSession } from '@gatehouse/accounts';
import {
  type ApiError,
  confirmationRequired,
  invalidRequest,
  type Refuse,
  type RequestFacts,
  tooManyFailures,
} from '@gatehouse/http';
import { Code, Password, TwoFactorCode, Type, typedCode } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';

export const setUpTwoFactor = route({
  method: 'post',
  path: '/account/two-factor',
  operationId: 'setUpTwoFactor',
  tag: 'Two-factor authentication',
  summary: 'Set up two-factor authentication',
  description:
    'With `Password`, or with the `Code` that an empty body mails to an account without one, returns a ' +
    'new secret for an authenticator app. With a `TwoFactorCode` from that app, enables two-factor ' +
    'authentication and ends the other sessions of the account. If a passkey is the second factor, the ' +
    'login must be at most five minutes ago.',
  access: 'session',
  body: Type.Object({
    Password: Type.Optional(Password()),
    Code: Type.Optional(Code()),
    TwoFactorCode: Type.Optional(TwoFactorCode()),
  }),
  response: Type.Union([
    Type.Object(
      {
        TwoFactorSetup: Type.Object(
          {
            Secret: Type.String({
              description: 'The secret in base 32, for manual entry in an authenticator app',
            }),
            OtpAuthUri: Type.String({ description: 'The secret as an otpauth URI, for a QR code' }),
          },
          { title: 'TwoFactorSetup' },
        ),
      },
      { title: 'TwoFactorSetupStarted' },
    ),
    Type.Object(
      {
        RecoveryCodes: Type.Array(Type.String(), {
          description: 'Each code can be used once. Shown only in this response.',
        }),
      },
      { title: 'TwoFactorSetupCompleted' },
    ),
    Type.Object({}, { title: 'TwoFactorCodeMailed', description: 'A code was sent by email' }),
  ]),
  errors: [
    'wrong_password',
    'invalid_code',
    'wrong_code',
    'confirmation_required',
    'conflict',
    'too_many_requests',
  ],
  handler: ({ body, caller, deps, request, refuse }) =>
    body.TwoFactorCode === undefined
      ? begin(refuse, deps, ownSession(caller), body, request)
      : confirm(refuse, deps, ownSession(caller), typedCode(body.TwoFactorCode), request),
});

async function begin(
  refuse: Refuse<
    'conflict' | 'invalid_code' | 'wrong_password' | 'confirmation_required' | 'too_many_requests'
  >,
  deps: Deps,
  session: ReturnType<typeof ownSession>,
  { Password: password, Code: code }: { Password?: string; Code?: string },
  request: RequestFacts,
) {
  const typed = code === undefined ? undefined : typedCode(code);
  const shown = { ...session, password, code: typed, addressGroup: request.addressGroup };
  const outcome = await beginTwoFactor(deps, shown, request);
  switch (outcome.kind) {
    case 'begun':
      return { TwoFactorSetup: outcome.setup };
    case 'mailed':
      return {};
    case 'throttled':
      throw tooManyFailures(refuse, outcome);
    case 'conflict':
      throw refuse('conflict', 'Two-factor authentication is already enabled');
    case 'wrong':
      throw refuse(outcome.shown === 'code' ? 'invalid_code' : 'wrong_password');
    case 'unproven':
      throw withoutPassword();
    case 'unconfirmed':
      throw confirmationRequired(refuse);
  }
}

function withoutPassword(): ApiError {
  return invalidRequest(undefined, {
    errors: [
      { pointer: '/Password', message: 'is required, because the account has a password', code: 'required' },
    ],
  });
}

async function confirm(
  refuse: Refuse<'conflict' | 'wrong_code' | 'confirmation_required' | 'too_many_requests'>,
  deps: Deps,
  session: ReturnType<typeof ownSession>,
  code: string,
  request: RequestFacts,
) {
  const own = { ...session, code, addressGroup: request.addressGroup };
  const outcome = await confirmTwoFactor(deps, own, request);
  switch (outcome.kind) {
    case 'new_codes':
      return { RecoveryCodes: outcome.recoveryCodes };
    case 'throttled':
      throw tooManyFailures(refuse, outcome);
    case 'failed':
      throw refuse('wrong_code');
    case 'unconfirmed':
      throw confirmationRequired(refuse);
    case 'conflict':
      throw refuse('conflict', 'No two-factor setup in progress; request a secret first');
  }
}
