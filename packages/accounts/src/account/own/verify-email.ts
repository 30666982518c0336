import {
  accounts,
  audit,
  inTransaction,
  outbox,
  type Account,
  type AccountWithHash,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { withMinimumDuration } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { accountUpdated, differingNames } from '../admin/account-updated.ts';
import { byOwner } from '../../actor.ts';
import type { AccountsDeps, Origin, ThrottleDeps } from '../../deps.ts';
import type { Throttled } from '../../checks/attempts.ts';
import { checkCode, type CodeOutcome } from '../../checks/code-check.ts';
import { isOpenToRegistration } from '../../checks/login-status.ts';
import { countOnCommit } from '../../checks/count-on-commit.ts';
import { isRegistrationToken, type Registered } from './registration-token.ts';

/** The result of a verification. */
export type EmailVerification = { kind: 'verified' } | { kind: 'invalid_code' } | Throttled;

/** What shows that the caller registered the present password; all that is given must fit. */
interface Registrant {
  token: string | undefined;
  password: string | undefined;
}

type Deps = ThrottleDeps &
  Pick<AccountsDeps, 'codes' | 'passwords' | 'relay' | 'activity'> & {
    /** Whether a password is kept only if the caller shows that they registered it. */
    verifyNeedsRegistrant: boolean;
  };

/** The usual time for checking and using a code: emails without an account take as long. */
const VERIFY_MS = 30;

/**
 * Marks an email as verified with a code that was mailed to it; `email` is normalised, or empty if it is not a valid
 * address.
 */
export async function verifyEmail(
  deps: Deps,
  given: { email: string; typed: string; registrant: Registrant; addressGroup: string },
  origin: Origin,
): Promise<EmailVerification> {
  return withMinimumDuration(VERIFY_MS, verify(deps, given, origin));
}

async function verify(
  deps: Deps,
  { email, typed, registrant, addressGroup }: Parameters<typeof verifyEmail>[1],
  origin: Origin,
): Promise<EmailVerification> {
  const account = await accounts.findWithHash(deps.db, emailKey(email));
  const code = await checkCode(deps, { account, purpose: 'verify', typed, addressGroup });
  if (code.kind === 'throttled') return code;
  if (code.kind === 'failed' || account === undefined) return { kind: 'invalid_code' };
  const isRegistrant = await isByRegistrant(deps, account, { ...registrant, addressGroup });
  return markVerified(deps, { ...account, isRegistrant }, code, origin);
}

/** Whether the caller may keep the password: anybody can press a button in a mail, also for a stranger's password. */
async function isByRegistrant(
  deps: Deps,
  account: AccountWithHash,
  { token, password, addressGroup }: Registrant & { addressGroup: string },
): Promise<boolean> {
  if (token === undefined && password === undefined) return !deps.verifyNeedsRegistrant;
  if (token !== undefined && !isRegistrationToken(deps.codes, account, token)) return false;
  if (password === undefined) return true;
  const { passwordHash: hash, passwordScheme: scheme } = account;
  if (hash === null || scheme === null) return false;
  return deps.passwords.from(addressGroup).verify(password, { hash, scheme });
}

/**
 * Marks the email as verified. Password, name and language are removed if somebody else registered them, or if there were
 * two passwords: the reader of the mails may have used any of the codes, so the code does not tell whose they are.
 */
async function markVerified(
  deps: Deps,
  { id: accountId, passwordVersion, isRegistrant }: Registered & { isRegistrant: boolean },
  code: Extract<CodeOutcome, { kind: 'right' }>,
  origin: Origin,
): Promise<EmailVerification> {
  const isVerified = await inTransaction<boolean>(deps.db, origin, async (tx, rollBack) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined || !isOpenToRegistration(account)) return rollBack(false);
    if (!(await code.use(tx))) return rollBack(false);
    countOnCommit(deps, tx, 'verification');
    const isKept = isRegistrant && !account.isContested && account.passwordVersion === passwordVersion;
    const changed = isKept ? [] : await discardRegistration(tx, account);
    await accounts.markEmailVerified(tx, accountId);
    await outbox.add(tx, [
      newEvent('account.verified', { UserId: accountId }, origin),
      ...accountUpdated(accountId, changed, { changedBy: accountId, origin }),
    ]);
    const details = isKept ? undefined : { Contested: true };
    await audit.append(tx, [{ ...byOwner('account.verified', accountId), details }], origin);
    return true;
  });
  if (!isVerified) return { kind: 'invalid_code' };
  deps.relay.wake();
  return { kind: 'verified' };
}

/** Removes what a stranger may have registered. Returns the changed fields. */
async function discardRegistration(tx: Transaction, account: Account): Promise<string[]> {
  await accounts.markContested(tx, account.id);
  await accounts.removePassword(tx, account.id);
  const after = (await accounts.findById(tx, account.id)) ?? account;
  return [...differingNames(account, after), 'NewPasswordRequired'];
}
