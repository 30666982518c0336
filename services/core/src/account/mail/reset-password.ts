import {
  accountUpdated,
  byOwner,
  checkCode,
  countOnCommit,
  describePasswordFault,
  endSessions,
  mailNotice,
  publishSessions,
} from '@gatehouse/accounts';
import {
  Code,
  Email,
  emailKey,
  normalizeEmail,
  Password,
  SessionStatus,
  Type,
  typedCode,
} from '@gatehouse/schema';
import {
  accountCodes,
  accounts,
  audit,
  inTransaction,
  loginThrottle,
  outbox,
  type Account,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import {
  addressGroup,
  type Refuse,
  type RequestFacts,
  tooManyFailures,
  unfitPassword,
  withMinimumDuration,
} from '@gatehouse/http';
import { route, type Deps } from '../../deps.ts';

export const resetPassword = route({
  method: 'post',
  path: '/account/reset-password',
  operationId: 'resetPassword',
  tag: 'Account',
  summary: 'Reset the password with an emailed code',
  description:
    'Ends all sessions of the account. The email address counts as verified, because the code was sent to it.',
  access: 'public',
  body: Type.Object({ Email: Email(), Code: Code(), Password: Password() }),
  response: Type.Object({}),
  errors: ['invalid_code', 'too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const email = normalizeEmail(body.Email) ?? '';
    const fault = describePasswordFault(deps, body.Password, email);
    if (fault !== undefined) throw unfitPassword(fault);
    const typed = typedCode(body.Code);
    const { account, code } = await withMinimumDuration(
      30,
      tryCode(deps, emailKey(email), typed, request, refuse),
    );
    const passwordHash = await deps.passwords.hash(body.Password);
    await setPassword(deps, account, passwordHash, code, request, refuse);
    return {};
  },
});

async function tryCode(
  deps: Deps,
  key: string,
  typed: string,
  request: RequestFacts,
  refuse: Refuse<'invalid_code' | 'too_many_requests'>,
) {
  const account = await accounts.findByEmailKey(deps.db, key);
  const from = addressGroup(request.address);
  const code = await checkCode(deps, { account, purpose: 'reset', typed, addressGroup: from });
  if ('retryAfterSeconds' in code) throw tooManyFailures(refuse, code);
  if ('failed' in code || account === undefined) throw refuse('invalid_code');
  return { account, code };
}

/** Everything that an earlier holder of the password may have is void: sessions, codes, counted failures. */
async function setPassword(
  deps: Deps,
  { id }: Account,
  passwordHash: string,
  code: Awaited<ReturnType<typeof tryCode>>['code'],
  request: RequestFacts,
  refuse: Refuse<'invalid_code'>,
): Promise<void> {
  const change = { status: SessionStatus.Deactivated, reason: 'password_reset', changedBy: id };
  const ended = await inTransaction(deps.db, request, async (tx) => {
    const account = await accounts.lockById(tx, id);
    if (account === undefined || !(await code.use(tx))) throw refuse('invalid_code');
    await accounts.updatePassword(tx, id, passwordHash);
    countOnCommit(deps, tx, 'reset');
    if (!account.isEmailVerified || account.signup !== 'complete') {
      await accounts.markEmailVerified(tx, id);
      await outbox.add(tx, [newEvent('account.verified', { UserId: id }, request)]);
    }
    const changed = account.isNewPasswordRequired ? ['NewPasswordRequired'] : [];
    await outbox.add(tx, accountUpdated(id, changed, { changedBy: id, origin: request }));
    await accountCodes.deleteAll(tx, id);
    // With two-factor on, whoever reads the mails could guess codes for nothing otherwise.
    if (!account.isTwoFactorEnabled)
      await loginThrottle.clear(tx, { kind: 'email', emailKey: emailKey(account.email) });
    const told = { UserId: id, Reason: 'reset' };
    await mailNotice(deps, tx, account, 'account.password-changed', told, request);
    await audit.append(tx, [byOwner('password.reset', id)], request);
    return endSessions(deps, tx, { accountId: id }, change, request);
  });
  await publishSessions(deps, ended);
}
