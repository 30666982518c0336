import {
  askForSecondFactor,
  asksForSecondFactor,
  checkPassword,
  conditionOf,
  loginWithCode,
  loginWithToken,
  openSession,
  renewHash,
  type SecondStep,
  type TwoFactorLogin,
} from '@gatehouse/accounts';
import type { AccountWithHash } from '@gatehouse/db';
import {
  accountCondition,
  addressGroup,
  ApiError,
  tooManyFailures,
  type RequestFacts,
} from '@gatehouse/http';
import { Password, Text, TwoFactorCode, Type, typedCode, type Static } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
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
    const step = readLoginStep(body);
    const device = { deviceName: body.DeviceName };
    if ('Username' in step) return withPassword(deps, { ...step, ...device }, request);
    const { address, traceId, userAgent, dueAt } = request;
    const code = typedCode(step.TwoFactorCode);
    const shown = { token: step.TwoFactorToken, code, addressGroup: addressGroup(address) };
    const outcome = await loginWithToken(deps, shown, { address, traceId, userAgent, dueAt, ...device });
    return finish(outcome, request);
  },
});

type Answer = Static<typeof LoginAnswer>;

async function withPassword(
  deps: Deps,
  given: {
    Username: string;
    Password: string;
    TwoFactorCode: string | undefined;
    deviceName: string | undefined;
  },
  request: RequestFacts,
): Promise<Answer> {
  const { address, traceId, userAgent, dueAt } = request;
  const origin = { address, traceId, userAgent, dueAt, deviceName: given.deviceName };
  const checked = await accountOf(deps, given, request);

  if (checked.isTwoFactorEnabled && given.TwoFactorCode !== undefined) {
    const shown = { code: typedCode(given.TwoFactorCode), addressGroup: addressGroup(address) };
    const answer = finish(await loginWithCode(deps, { ...shown, account: checked }, origin), request);
    renewBehind(deps, checked, given.Password);
    return answer;
  }
  if (asksForSecondFactor(checked)) {
    const asked: SecondStep | { stale: true } = await askForSecondFactor(
      deps,
      checked,
      given.deviceName,
      request,
    );
    renewBehind(deps, checked, given.Password);
    if ('stale' in asked) throw new ApiError('authentication_failed');
    return asked;
  }
  const opening = await openSession(deps, checked, origin);
  if ('condition' in opening) throw accountCondition(opening.condition);
  if ('stale' in opening) throw new ApiError('authentication_failed');
  request.note({ sessionId: opening.sessionId });
  renewBehind(deps, checked, given.Password);
  return opening.tokens;
}

/** Renews the hash behind the answer: the login has happened, and what fails now is done at the next one. */
function renewBehind(deps: Deps, account: AccountWithHash, password: string): void {
  renewHash(deps, account, password).catch((error: unknown) => {
    deps.log.warn('failed to upgrade a password hash', { accountId: account.id, error });
  });
}

/** The account whose password was given and that nothing stands in the way of, a second factor apart. */
async function accountOf(
  deps: Deps,
  { Username, Password: password }: { Username: string; Password: string },
  request: RequestFacts,
): Promise<AccountWithHash> {
  const attempt = { userName: Username, password, addressGroup: addressGroup(request.address) };
  const outcome = await checkPassword(deps, attempt);
  if ('retryAfterSeconds' in outcome) throw tooManyFailures(outcome);
  if ('failed' in outcome) throw new ApiError('authentication_failed');
  request.note({ accountId: outcome.account.id });
  const condition = conditionOf(outcome.account);
  if (condition !== undefined) throw accountCondition(condition);
  return outcome.account;
}

/** The answer to a login that showed a second factor. */
function finish(outcome: TwoFactorLogin, request: RequestFacts): Answer {
  if ('retryAfterSeconds' in outcome) throw tooManyFailures(outcome);
  if ('failed' in outcome) throw new ApiError('authentication_failed');
  const { opening, accountId, recoveryCodes } = outcome;
  request.note({ accountId });
  if ('condition' in opening) throw accountCondition(opening.condition);
  request.note({ sessionId: opening.sessionId });
  return recoveryCodes === undefined ? opening.tokens : { ...opening.tokens, RecoveryCodes: recoveryCodes };
}
