import type { TotpSetup } from '@gatehouse/auth-core';
import {
  accounts,
  audit,
  inTransaction,
  passkeys as ownPasskeys,
  recoveryCodes,
  twoFactor,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import { SessionStatus } from '@gatehouse/schema';
import { byOwner } from '../actor.ts';
import type { Throttled } from '../checks/attempts.ts';
import { checkCode } from '../checks/code-check.ts';
import { checkOwnPassword } from '../checks/credentials.ts';
import { usesSecondFactor } from '../checks/login-status.ts';
import { mailCode, mailNotice } from '../checks/mailing.ts';
import type {
  AccountsDeps,
  MailDeps,
  NoticeDeps,
  Origin,
  PasswordDeps,
  SecondFactorDeps,
  SessionDeps,
  ThrottleDeps,
} from '../deps.ts';
import { provesFreshly, type PresentedSession } from '../session/confirmation/proves-freshly.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';
import {
  countedForOwner,
  findProof,
  findStep,
  newRecoveryCodes,
  newSecret,
  type OwnCode,
  type Refused,
} from './second-factor.ts';

type SetUpDeps = SecondFactorDeps & PasswordDeps & MailDeps & Pick<AccountsDeps, 'relay'>;
type Deps = SecondFactorDeps & SessionDeps & ThrottleDeps & NoticeDeps;

/** The proof, in addition to a session, for setting up a second factor. */
interface SetUpProof extends PresentedSession {
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
export async function beginTwoFactor(
  deps: SetUpDeps,
  proof: SetUpProof,
  origin: Origin,
): Promise<TwoFactorStart> {
  const account = await accounts.findById(deps.db, proof.accountId);
  if (account === undefined || account.isTwoFactorEnabled) return { kind: 'conflict' };
  if (usesSecondFactor(account) && !(await provesFreshly(deps.db, proof, account)))
    return { kind: 'unconfirmed' };
  if (proof.password !== undefined) return withPassword(deps, { ...proof, password: proof.password }, origin);
  if (account.passwordScheme !== null) return { kind: 'unproven' };
  if (proof.code !== undefined) return withCode(deps, account, { ...proof, code: proof.code }, origin);
  await inTransaction(deps.db, origin, async (tx) => {
    const locked = await accounts.lockById(tx, account.id);
    if (locked !== undefined) await mailCode(deps, tx, locked, 'two-factor', origin);
  });
  deps.relay.wake();
  return { kind: 'mailed' };
}

async function withPassword(
  deps: SetUpDeps,
  { accountId, password, addressGroup }: SetUpProof & { password: string },
  origin: Origin,
): Promise<TwoFactorStart> {
  const outcome = await checkOwnPassword(deps, { accountId, password, addressGroup });
  if (outcome.kind === 'throttled') return outcome;
  if (outcome.kind === 'failed') return { kind: 'wrong', shown: 'password' };
  return begin(deps, { account: outcome.account, by: 'password', use: () => Promise.resolve(true) }, origin);
}

async function withCode(
  deps: SetUpDeps,
  account: Account,
  { code: typed, addressGroup }: SetUpProof & { code: string },
  origin: Origin,
): Promise<TwoFactorStart> {
  const code = await checkCode(deps, { account, purpose: 'two-factor', typed, addressGroup });
  if (code.kind === 'throttled') return code;
  if (code.kind === 'failed') return { kind: 'wrong', shown: 'code' };
  return begin(deps, { account, by: 'code', use: code.use }, origin);
}

/** The proof that was given; `use` uses it up, and returns `false` if another request used it first. */
interface CheckedProof {
  account: Account;
  by: 'password' | 'code';
  use: (tx: Transaction) => Promise<boolean>;
}

/** If the password has changed since the proof was given, the proof counts as wrong, whether a password or a code. */
async function begin(
  deps: SetUpDeps,
  { account: proved, by, use }: CheckedProof,
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

/** The new recovery codes; they are shown only this once. */
interface NewCodes {
  kind: 'new_codes';
  recoveryCodes: string[];
}

/**
 * Enables an authenticator with its first code, and ends all other sessions of the account, because they were opened
 * without it. The recovery codes are shown only this once. A set-up that was begun before a passkey became the second
 * factor is not sufficient: `unconfirmed`.
 */
export async function confirmTwoFactor(
  deps: Deps,
  own: OwnCode & PresentedSession,
  origin: Origin,
): Promise<NewCodes | { kind: 'unconfirmed' } | Refused> {
  const stored = await twoFactor.find(deps.db, own.accountId);
  if (stored === undefined || stored.isEnabled) return { kind: 'conflict' };
  const { secretSealed } = stored;
  return countedForOwner<NewCodes | { kind: 'unconfirmed' }>(deps, own, async () => {
    const step = findStep(deps, own.accountId, secretSealed, own.code);
    if (step === undefined) return { kind: 'failed' };
    const done = await inTransaction(deps.db, origin, async (tx) => {
      const account = await accounts.lockById(tx, own.accountId);
      if (account !== undefined && (await isUnconfirmed(tx, account, own))) return 'unconfirmed';
      const codes = account && (await enableTwoFactor(deps, tx, account, { secretSealed, step }, origin));
      if (codes === undefined) return undefined;
      const { accountId, sessionId: exceptSessionId } = own;
      const others = { kind: 'account', accountId, exceptSessionId } as const;
      return { codes, ended: await endSessions(deps, tx, others, enabledBy(own.accountId), origin) };
    });
    if (done === undefined) return { kind: 'conflict' };
    if (done === 'unconfirmed') return { kind: done };
    await publishSessions(deps, done.ended);
    return { kind: 'new_codes', recoveryCodes: done.codes };
  });
}

/**
 * Whether a passkey is the second factor and the owner has not used it recently. The passkeys are counted after locking
 * the account: the locked row may have been selected before the first one was added.
 */
async function isUnconfirmed(tx: Transaction, account: Account, session: PresentedSession): Promise<boolean> {
  if (!account.isTwoFactorRequired || (await ownPasskeys.count(tx, account.id)) === 0) return false;
  return !(await provesFreshly(tx, session, { ...account, hasPasskey: true }));
}

/** The change that ends sessions which were opened before two-factor authentication was enabled. */
export function enabledBy(accountId: string) {
  return { status: SessionStatus.Deactivated, reason: 'two_factor_enabled', changedBy: accountId } as const;
}

/**
 * Enables an authenticator in the transaction; `undefined` if one is already in use, or the set-up has been replaced.
 */
export async function enableTwoFactor(
  deps: Deps,
  tx: Transaction,
  account: Account,
  first: { secretSealed: Buffer; step: number },
  origin: Origin,
): Promise<string[] | undefined> {
  if (!(await twoFactor.enable(tx, account.id, first))) return undefined;
  const codes = await newRecoveryCodes(deps, tx, account.id);
  await mailNotice(deps, tx, account, 'account.two-factor-enabled', { UserId: account.id }, origin);
  await audit.append(tx, [byOwner('two-factor.enabled', account.id)], origin);
  return codes;
}

/**
 * Why there are no new codes. `unproven`: there is no passkey, and no code was given. `unconfirmed`: the owner's
 * last proof was too long ago.
 */
type NotRenewed = { kind: 'unproven' } | { kind: 'unconfirmed' } | Refused;

/**
 * Replaces all recovery codes with new ones; requires a code of the authenticator or an earlier recovery code. Owners
 * with passkeys may have no code at all: for them, a recent login is enough, as it required a second factor.
 */
export async function renewRecoveryCodes(
  deps: Deps,
  { code, ...own }: Omit<OwnCode, 'code'> & { code: string | undefined } & PresentedSession,
  origin: Origin,
): Promise<NewCodes | NotRenewed> {
  const { accountId } = own;
  const found = await accounts.findById(deps.db, accountId);
  if (found === undefined || !usesSecondFactor(found)) return { kind: 'conflict' };
  if (code !== undefined)
    return countedForOwner<NewCodes>(deps, { ...own, code }, async () => {
      const proof = await findProof(deps, accountId, code);
      return proof === undefined ? { kind: 'failed' } : renewWith(deps, accountId, proof.use, origin);
    });
  if (!found.hasPasskey) return { kind: 'unproven' };
  const isFresh = (tx: Transaction) => provesFreshly(tx, own, found);
  const renewed = await renewWith(deps, accountId, isFresh, origin);
  deps.relay.wake();
  return renewed.kind === 'failed' ? { kind: 'unconfirmed' } : renewed;
}

async function renewWith(
  deps: Deps,
  accountId: string,
  use: (tx: Transaction) => Promise<boolean>,
  origin: Origin,
): Promise<NewCodes | { kind: 'conflict' } | { kind: 'failed' }> {
  return inTransaction(deps.db, origin, async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined || !usesSecondFactor(account)) return { kind: 'conflict' };
    if (!(await use(tx))) return { kind: 'failed' };
    const eventData = { UserId: accountId };
    await mailNotice(deps, tx, account, 'account.recovery-codes-renewed', eventData, origin);
    await audit.append(tx, [byOwner('two-factor.recovery-codes-renewed', accountId)], origin);
    return { kind: 'new_codes', recoveryCodes: await newRecoveryCodes(deps, tx, accountId) };
  });
}

/**
 * Removes the authenticator and its recovery codes, which requires one of their codes; `forbidden` if the account must
 * have a second factor.
 */
export async function removeTwoFactor(
  deps: Deps,
  own: OwnCode,
  origin: Origin,
): Promise<{ kind: 'removed' } | { kind: 'forbidden' } | Refused> {
  const { accountId } = own;
  const found = await accounts.findById(deps.db, accountId);
  if (found?.isTwoFactorEnabled !== true) return { kind: 'conflict' };
  if (found.isTwoFactorRequired) return { kind: 'forbidden' };
  return countedForOwner<{ kind: 'removed' } | { kind: 'forbidden' }>(deps, own, async () => {
    const proof = await findProof(deps, accountId, own.code);
    if (proof === undefined) return { kind: 'failed' };
    return inTransaction(deps.db, origin, async (tx) => {
      const account = await accounts.lockById(tx, accountId);
      if (account === undefined) return { kind: 'conflict' };
      if (account.isTwoFactorRequired) return { kind: 'forbidden' };
      if (!(await proof.use(tx))) return { kind: 'failed' };
      await twoFactor.remove(tx, accountId);
      await recoveryCodes.deleteUnneeded(tx, accountId);
      await mailNotice(deps, tx, account, 'account.two-factor-disabled', { UserId: accountId }, origin);
      await audit.append(tx, [byOwner('two-factor.disabled', accountId)], origin);
      return { kind: 'removed' };
    });
  });
}
