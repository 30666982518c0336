import { matchTotp, newTotpSecret, readRecoveryCode, readTotpCode, totpSetup } from '@gatehouse/auth-core';
import { recoveryCodes, twoFactor, type Account, type Transaction } from '@gatehouse/db';
import type { SecondFactorDeps } from '../deps.ts';

/** A second factor that is right; `use` uses it up, and is `false` when somebody was faster. */
export interface Proof {
  isRecovery: boolean;
  use: (tx: Transaction) => Promise<boolean>;
}

/** Whether text can be a second factor of anybody's; what cannot is no guess, and counts nowhere. */
export function canBeSecondFactor(typed: string): boolean {
  return readTotpCode(typed) !== undefined || readRecoveryCode(typed) !== undefined;
}

/** What was typed, as a second factor of the account that could be used now; `undefined` when it is none. */
export async function findProof(
  deps: SecondFactorDeps,
  accountId: string,
  typed: string,
): Promise<Proof | undefined> {
  const digits = readTotpCode(typed);
  if (digits !== undefined) return findTotp(deps, accountId, digits);
  const code = readRecoveryCode(typed);
  return code === undefined ? undefined : findRecoveryCode(deps, accountId, code);
}

async function findTotp(
  deps: SecondFactorDeps,
  accountId: string,
  digits: string,
): Promise<Proof | undefined> {
  const kept = await twoFactor.find(deps.db, accountId);
  if (kept?.isEnabled !== true) return undefined;
  const { secretSealed, lastUsedStep } = kept;
  const step = findStep(deps, accountId, secretSealed, digits);
  if (step === undefined || step <= lastUsedStep) return undefined;
  return { isRecovery: false, use: (tx) => twoFactor.useStep(tx, accountId, { secretSealed, step }) };
}

async function findRecoveryCode(
  deps: SecondFactorDeps,
  accountId: string,
  code: string,
): Promise<Proof | undefined> {
  const hash = hashRecoveryCode(deps, accountId, code);
  if (!(await recoveryCodes.isUsable(deps.db, accountId, hash))) return undefined;
  return { isRecovery: true, use: (tx) => recoveryCodes.use(tx, accountId, hash) };
}

/** The hash under which a recovery code, as `readRecoveryCode` gives it, is kept. */
export function hashRecoveryCode(deps: SecondFactorDeps, accountId: string, code: string): Buffer {
  return deps.recoveryCodes.hash({ purpose: 'recovery', accountId }, code);
}

/** The time step whose code was typed, of a sealed secret that the account has or is to have. */
export function findStep(
  deps: SecondFactorDeps,
  accountId: string,
  secretSealed: Buffer,
  typed: string,
): number | undefined {
  const secret = deps.totpSecrets.open(accountId, secretSealed);
  if (secret === undefined)
    throw new Error('an authenticator’s secret was sealed under another TWO_FACTOR_KEY');
  return matchTotp(secret, readTotpCode(typed) ?? '', deps.now());
}

/** A fresh secret for the account, as its authenticator app takes it and as it is kept. */
export function newSecret(deps: SecondFactorDeps, account: Pick<Account, 'id' | 'email'>) {
  const secret = newTotpSecret();
  return {
    setup: totpSetup(secret, { issuer: deps.settings.TWO_FACTOR_ISSUER, label: account.email }),
    secretSealed: deps.totpSecrets.seal(account.id, secret),
  };
}
