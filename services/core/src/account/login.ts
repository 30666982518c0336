import { takeLoginStep, type Login } from '@gatehouse/accounts';
import {
  accountCondition,
  addressGroup,
  ApiError,
  tooManyFailures,
  type RequestFacts,
} from '@gatehouse/http';
import { Password, Text, TwoFactorCode, Type, type Static } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { LoginAnswer } from './login-answer.ts';
import { readLoginStep } from './login-steps.ts';

export const login = route({
  method: 'post',
  path: '/account/login',
  operationId: 'login',
  tag: 'Sessions',
  summary: 'Log in with a password and a second factor',
  description:
    'Send `Username` and `Password` (and `TwoFactorCode` if the client already has it). If the response contains ' +
    'a `TwoFactorToken`, send that token with a `TwoFactorCode` in a second request.',
  access: 'public',
  body: Type.Object(
    {
      Username: Type.Optional(
        Type.String({ minLength: 1, maxLength: 320, description: 'The email address of the account' }),
      ),
      Password: Type.Optional(Password()),
      TwoFactorToken: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
      TwoFactorCode: Type.Optional(TwoFactorCode()),
      DeviceName: Type.Optional(
        Text(100, { description: 'A name by which the owner recognizes this device' }),
      ),
    },
    {
      oneOfFields: [
        ['Username', 'Password'],
        ['TwoFactorToken', 'TwoFactorCode'],
      ],
    },
  ),
  response: LoginAnswer,
  errors: [
    'authentication_failed',
    'too_many_requests',
    'account_disabled',
    'account_expired',
    'email_confirmation_pending',
    'signup_pending',
    'migration_pending',
    'new_password_required',
    'invitation_pending',
  ],
  handler: async ({ body, deps, request }) => {
    const { address, traceId, userAgent, dueAt } = request;
    const origin = { address, traceId, userAgent, dueAt, deviceName: body.DeviceName };
    const from = { ...origin, addressGroup: addressGroup(address) };
    return answerOf(await takeLoginStep(deps, readLoginStep(body), from), request);
  },
});

function answerOf(login: Login, request: RequestFacts): Static<typeof LoginAnswer> {
  if (login.accountId !== undefined) request.note({ accountId: login.accountId });
  if ('retryAfterSeconds' in login) throw tooManyFailures(login);
  if ('failed' in login) throw new ApiError('authentication_failed');
  if ('condition' in login) throw accountCondition(login.condition);
  if ('next' in login) return login.next;
  const { sessionId, tokens, recoveryCodes } = login;
  request.note({ sessionId });
  return recoveryCodes === undefined ? tokens : { ...tokens, RecoveryCodes: recoveryCodes };
}
