import { matchTotp, newTotpSecret, readRecoveryCode, readTotpCode, totpSetup } from '@gatehouse/auth-core';
import { recoveryCodes, twoFactor, type Account, type Transaction } from '@gatehouse/db';
import type { SecondFactorDeps } from '../deps.ts';

/** A correct second factor; `use` uses it up, and returns `false` if another request used it first. */
export interface Proof {
  isRecovery: boolean;
  /** The passkey that signed; `undefined` for codes. */
  passkeyId?: string;
  use: (tx: Transaction) => Promise<boolean>;
}

/** Whether text has the form of a second factor; other text is not a guess, and is not counted. */
export function canBeSecondFactor(typed: string): boolean {
  return readTotpCode(typed) !== undefined || readRecoveryCode(typed) !== undefined;
}

/** Checks typed text as a second factor of the account that can be used now; `undefined` if it is not one. */
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

/** The hash under which a recovery code, as returned by `readRecoveryCode`, is stored. */
export function hashRecoveryCode(deps: SecondFactorDeps, accountId: string, code: string): Buffer {
  return deps.recoveryCodes.hash({ purpose: 'recovery', accountId }, code);
}

/** The time step of the typed code, for a sealed secret that is in use or being set up. */
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

/** A new secret for the account, in the form for its authenticator app and in the stored form. */
export function newSecret(deps: SecondFactorDeps, account: Pick<Account, 'id' | 'email'>) {
  const secret = newTotpSecret();
  return {
    setup: totpSetup(secret, { issuer: deps.settings.TWO_FACTOR_ISSUER, label: account.email }),
    secretSealed: deps.totpSecrets.seal(account.id, secret),
  };
}
