import { newRecoveryCode, readRecoveryCode } from '@gatehouse/auth-core';
import { SessionStatus } from '@gatehouse/schema';
import {
  accounts,
  audit,
  inTransaction,
  recoveryCodes,
  twoFactor,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import { byOwner } from '../actor.ts';
import {
  beginFromAddress,
  withSecondFactorThrottle,
  withThrottle,
  type CheckResult,
  type Throttled,
} from '../login/attempts.ts';
import type { AccountsDeps, Origin } from '../deps.ts';
import { mailNotice } from '../mail/mailing.ts';
import { canBeSecondFactor, findProof, findStep, hashRecoveryCode } from './second-factor.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

const RECOVERY_CODES = 10;

/** Somebody who is logged in shows a second factor. */
interface OwnCode {
  accountId: string;
  code: string;
  addressGroup: string;
}

/** Why nothing came of it; `conflict`: two-factor is not in the state for that. */
type Refused = { failed: true } | { conflict: true } | Throttled;

/**
 * Puts an authenticator that was begun into use with its first code, and ends every session but the one that it was
 * set up in: they were opened without it. The recovery codes are shown this once.
 */
export async function confirmTwoFactor(
  deps: AccountsDeps,
  own: OwnCode & { sessionId: string },
  origin: Origin,
): Promise<{ recoveryCodes: string[] } | Refused> {
  const kept = await twoFactor.find(deps.db, own.accountId);
  if (kept === undefined || kept.isEnabled) return { conflict: true };
  const { secretSealed } = kept;
  return countedForOwner<{ recoveryCodes: string[] }>(deps, own, async () => {
    const step = findStep(deps, own.accountId, secretSealed, own.code);
    if (step === undefined) return { failed: true };
    const done = await inTransaction(deps.db, origin, async (tx) => {
      const account = await accounts.lockById(tx, own.accountId);
      const codes = account && (await enableTwoFactor(deps, tx, account, { secretSealed, step }, origin));
      if (codes === undefined) return undefined;
      const others = { accountId: own.accountId, exceptSessionId: own.sessionId };
      return { codes, ended: await endSessions(deps, tx, others, enabledBy(own.accountId), origin) };
    });
    if (done === undefined) return { conflict: true };
    await publishSessions(deps, done.ended);
    return { recoveryCodes: done.codes };
  });
}

/** How sessions end that were opened before two-factor was on. */
export function enabledBy(accountId: string) {
  return { status: SessionStatus.Deactivated, reason: 'two_factor_enabled', changedBy: accountId };
}

/** Puts an authenticator into use in the transaction; `undefined` when it is in use or no longer what was begun. */
export async function enableTwoFactor(
  deps: AccountsDeps,
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

async function newRecoveryCodes(deps: AccountsDeps, tx: Transaction, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const hashes = codes.map((code) => hashRecoveryCode(deps, accountId, readRecoveryCode(code) ?? ''));
  await recoveryCodes.replaceAll(tx, accountId, hashes);
  return codes;
}

/** Puts new recovery codes in the place of all earlier ones, for a code of the authenticator or one of the earlier ones. */
export async function renewRecoveryCodes(
  deps: AccountsDeps,
  own: OwnCode,
  origin: Origin,
): Promise<{ recoveryCodes: string[] } | Refused> {
  const { accountId } = own;
  const found = await accounts.findById(deps.db, accountId);
  if (found?.isTwoFactorEnabled !== true) return { conflict: true };
  return countedForOwner<{ recoveryCodes: string[] }>(deps, own, async () => {
    const proof = await findProof(deps, accountId, own.code);
    if (proof === undefined) return { failed: true };
    return inTransaction(deps.db, origin, async (tx) => {
      const account = await accounts.lockById(tx, accountId);
      if (account?.isTwoFactorEnabled !== true) return { conflict: true };
      if (!(await proof.use(tx))) return { failed: true };
      const told = { UserId: accountId };
      await mailNotice(deps, tx, account, 'account.recovery-codes-renewed', told, origin);
      await audit.append(tx, [byOwner('two-factor.recovery-codes-renewed', accountId)], origin);
      return { recoveryCodes: await newRecoveryCodes(deps, tx, accountId) };
    });
  });
}

/** Removes the authenticator and its recovery codes for one of their codes, unless the account has to have one. */
export async function removeTwoFactor(
  deps: AccountsDeps,
  own: OwnCode,
  origin: Origin,
): Promise<{ removed: true } | { forbidden: true } | Refused> {
  const { accountId } = own;
  const found = await accounts.findById(deps.db, accountId);
  if (found?.isTwoFactorEnabled !== true) return { conflict: true };
  if (found.isTwoFactorRequired) return { forbidden: true };
  return countedForOwner<{ removed: true } | { forbidden: true }>(deps, own, async () => {
    const proof = await findProof(deps, accountId, own.code);
    if (proof === undefined) return { failed: true };
    return inTransaction(deps.db, origin, async (tx) => {
      const account = await accounts.lockById(tx, accountId);
      if (account === undefined) return { conflict: true };
      if (account.isTwoFactorRequired) return { forbidden: true };
      if (!(await proof.use(tx))) return { failed: true };
      await twoFactor.remove(tx, accountId);
      await mailNotice(deps, tx, account, 'account.two-factor-disabled', { UserId: accountId }, origin);
      await audit.append(tx, [byOwner('two-factor.disabled', accountId)], origin);
      return { removed: true };
    });
  });
}

/**
 * Makes a check that counts as a wrong password would. A right code forgets no failures here: guesses of the password
 * are among them, and with an authenticator of their own somebody could go on guessing for ever.
 */
async function countedForOwner<T extends object>(
  deps: AccountsDeps,
  { accountId, code, addressGroup }: OwnCode,
  check: () => Promise<T | Refused>,
): Promise<T | Refused> {
  if (!canBeSecondFactor(code)) return { failed: true };
  const checked = await withThrottle(
    await beginFromAddress(deps, addressGroup),
    async (): Promise<CheckResult<T | Refused>> => {
      const account = await accounts.findById(deps.db, accountId);
      if (account === undefined) return { counts: 'aborted', outcome: { conflict: true } };
      return withSecondFactorThrottle(
        deps,
        { account, addressGroup },
        async (): Promise<CheckResult<T | Refused>> => {
          const outcome = await check();
          return { counts: 'failed' in outcome ? 'failed' : 'partialSuccess', outcome };
        },
      );
    },
  );
  deps.relay.wake();
  return checked.outcome;
}
