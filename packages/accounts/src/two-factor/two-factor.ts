import { SessionStatus } from '@gatehouse/schema';
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
import { byOwner } from '../actor.ts';
import type { NoticeDeps, Origin, SecondFactorDeps, SessionDeps, ThrottleDeps } from '../deps.ts';
import { usesSecondFactor } from '../checks/login-status.ts';
import { mailNotice } from '../checks/mailing.ts';
import { countedForOwner, type OwnCode, type Refused } from './counted-for-owner.ts';
import { newRecoveryCodes } from './new-recovery-codes.ts';
import { findProof, findStep } from './second-factor.ts';
import { provesFreshly, type ShownSession } from '../session/confirmation/proves-freshly.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

type Deps = SecondFactorDeps & SessionDeps & ThrottleDeps & NoticeDeps;

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
  own: OwnCode & ShownSession,
  origin: Origin,
): Promise<NewCodes | { kind: 'unconfirmed' } | Refused> {
  const kept = await twoFactor.find(deps.db, own.accountId);
  if (kept === undefined || kept.isEnabled) return { kind: 'conflict' };
  const { secretSealed } = kept;
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
async function isUnconfirmed(tx: Transaction, account: Account, session: ShownSession): Promise<boolean> {
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
  { code, ...own }: Omit<OwnCode, 'code'> & { code: string | undefined } & ShownSession,
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
