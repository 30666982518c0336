import type { TotpSetup } from '@gatehouse/auth-core';
import { accounts, inTransaction, twoFactor, type Account, type Transaction } from '@gatehouse/db';
import type { Throttled } from '../checks/attempts.ts';
import { checkCode } from '../checks/code-check.ts';
import { checkOwnPassword } from '../checks/credentials.ts';
import { usesSecondFactor } from '../checks/login-status.ts';
import type { AccountsDeps, MailDeps, Origin, PasswordDeps, SecondFactorDeps } from '../deps.ts';
import { mailCode } from '../checks/mailing.ts';
import { provesFreshly, type ShownSession } from '../session/confirmation/proves-freshly.ts';
import { newSecret } from './second-factor.ts';

type Deps = SecondFactorDeps & PasswordDeps & MailDeps & Pick<AccountsDeps, 'relay'>;

/** The proof, in addition to a session, for setting up a second factor. */
interface Shown extends ShownSession {
  accountId: string;
  password: string | undefined;
  /** The code from the mail, as typed. */
  code: string | undefined;
  addressGroup: string;
}

/**
 * The result of the first step. `mailed`: the account has no password, and a code is being mailed (or an earlier one
 * still works). `unproven`: the account has a password, which was not given. `unconfirmed`: a passkey is the second
 * factor, and the login with it was too long ago. `conflict`: two-factor authentication is already enabled.
 */
export type TwoFactorStart =
  | { kind: 'begun'; setup: TotpSetup }
  | { kind: 'mailed' }
  | { kind: 'unproven' }
  | { kind: 'unconfirmed' }
  | { kind: 'wrong'; shown: 'password' | 'code' }
  | { kind: 'conflict' }
  | Throttled;

/**
 * Begins to set up an authenticator, each time with a new secret. It requires the password: otherwise, an attacker with
 * a stolen session could set up their own authenticator and lock the owner out permanently. An account without a
 * password, for example with single sign-on only, uses a mailed code. If a passkey is the second factor, neither is
 * enough: a recent login with it is required.
 */
export async function beginTwoFactor(deps: Deps, shown: Shown, origin: Origin): Promise<TwoFactorStart> {
  const account = await accounts.findById(deps.db, shown.accountId);
  if (account === undefined || account.isTwoFactorEnabled) return { kind: 'conflict' };
  if (usesSecondFactor(account) && !(await provesFreshly(deps.db, shown, account)))
    return { kind: 'unconfirmed' };
  if (shown.password !== undefined) return withPassword(deps, { ...shown, password: shown.password }, origin);
  if (account.passwordScheme !== null) return { kind: 'unproven' };
  if (shown.code !== undefined) return withCode(deps, account, { ...shown, code: shown.code }, origin);
  await inTransaction(deps.db, origin, async (tx) => {
    const locked = await accounts.lockById(tx, account.id);
    if (locked !== undefined) await mailCode(deps, tx, locked, 'two-factor', origin);
  });
  deps.relay.wake();
  return { kind: 'mailed' };
}

async function withPassword(
  deps: Deps,
  { accountId, password, addressGroup }: Shown & { password: string },
  origin: Origin,
): Promise<TwoFactorStart> {
  const outcome = await checkOwnPassword(deps, { accountId, password, addressGroup });
  if (outcome.kind === 'throttled') return outcome;
  if (outcome.kind === 'failed') return { kind: 'wrong', shown: 'password' };
  return begin(deps, { account: outcome.account, by: 'password', use: () => Promise.resolve(true) }, origin);
}

async function withCode(
  deps: Deps,
  account: Account,
  { code: typed, addressGroup }: Shown & { code: string },
  origin: Origin,
): Promise<TwoFactorStart> {
  const code = await checkCode(deps, { account, purpose: 'two-factor', typed, addressGroup });
  if (code.kind === 'throttled') return code;
  if (code.kind === 'failed') return { kind: 'wrong', shown: 'code' };
  return begin(deps, { account, by: 'code', use: code.use }, origin);
}

/** The proof that was given; `use` uses it up, and returns `false` if another request used it first. */
interface Proof {
  account: Account;
  by: 'password' | 'code';
  use: (tx: Transaction) => Promise<boolean>;
}

/** If the password has changed since the proof was given, the proof counts as wrong, whether a password or a code. */
async function begin(
  deps: Deps,
  { account: proved, by, use }: Proof,
  origin: Origin,
): Promise<TwoFactorStart> {
  const { setup, secretSealed } = newSecret(deps, proved);
  const { id, passwordVersion } = proved;
  return inTransaction(deps.db, origin, async (tx): Promise<TwoFactorStart> => {
    const account = await accounts.lockById(tx, id);
    if (account?.passwordVersion !== passwordVersion || !(await use(tx))) return { kind: 'wrong', shown: by };
    return (await twoFactor.begin(tx, id, { secretSealed, passwordVersion }))
      ? { kind: 'begun', setup }
      : { kind: 'conflict' };
  });
}
