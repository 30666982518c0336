import {
  matchTotp,
  newRecoveryCode,
  newTotpSecret,
  readRecoveryCode,
  readTotpCode,
  totpSetup,
} from '@gatehouse/auth-core';
import { accounts, audit, recoveryCodes, twoFactor, type Account, type Transaction } from '@gatehouse/db';
import { withAddressThrottle, withSecondFactorThrottle } from '../checks/attempts.ts';
import type { CheckResult, Throttled } from '../checks/attempts.ts';
import { mailNotice } from '../checks/mailing.ts';
import type { AccountsDeps, NoticeDeps, Origin, SecondFactorDeps, ThrottleDeps } from '../deps.ts';

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
  const stored = await twoFactor.find(deps.db, accountId);
  if (stored?.isEnabled !== true) return undefined;
  const { secretSealed, lastUsedStep } = stored;
  const step = findStep(deps, accountId, secretSealed, digits);
  if (step === undefined || step <= lastUsedStep) return undefined;
  return { isRecovery: false, use: (tx) => twoFactor.useStep(tx, { accountId, secretSealed, step }) };
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
function hashRecoveryCode(deps: SecondFactorDeps, accountId: string, code: string): Buffer {
  return deps.recoveryCodes.hash({ purpose: 'recovery', accountId }, code);
}

export function findStep(deps: SecondFactorDeps, accountId: string, secretSealed: Buffer, typed: string) {
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

const RECOVERY_CODES = 10;

/** Replaces all recovery codes of the account with new ones; they are shown only this once. */
export async function newRecoveryCodes(deps: SecondFactorDeps, tx: Transaction, accountId: string) {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const hashes = codes.map((code) => hashRecoveryCode(deps, accountId, readRecoveryCode(code) ?? ''));
  await recoveryCodes.replaceAll(tx, accountId, hashes);
  return codes;
}

/** `undefined` if one is already in use, or the set-up has been replaced. */
export async function enableTwoFactor(
  deps: SecondFactorDeps & NoticeDeps,
  tx: Transaction,
  account: Account,
  first: { secretSealed: Buffer; step: number },
  origin: Origin,
): Promise<string[] | undefined> {
  if (!(await twoFactor.enable(tx, { ...first, accountId: account.id }))) return undefined;
  const codes = await newRecoveryCodes(deps, tx, account.id);
  await mailNotice(deps, tx, account, 'account.two-factor-enabled', {}, origin);
  const owner = { kind: 'Account', id: account.id } as const;
  await audit.append(tx, [{ action: 'two-factor.enabled', actor: owner, target: owner }], origin);
  return codes;
}

export interface OwnCode {
  accountId: string;
  code: string;
  addressGroup: string;
}

/** Why nothing was changed; `conflict`: the account's two-factor state does not allow it. */
export type Refused = { kind: 'failed' } | { kind: 'conflict' } | Throttled;

/** A right code clears no failures: with an authenticator of their own, an attacker could guess passwords for ever. */
export async function countedForOwner<T extends { kind: string }>(
  deps: ThrottleDeps & Pick<AccountsDeps, 'relay'>,
  { accountId, code, addressGroup }: OwnCode,
  check: () => Promise<T | Refused>,
): Promise<T | Refused> {
  if (!canBeSecondFactor(code)) return { kind: 'failed' };
  const counted = await withAddressThrottle<T | Refused>(deps, { addressGroup }, async () => {
    const account = await accounts.findById(deps.db, accountId);
    if (account === undefined) return { counts: 'aborted', outcome: { kind: 'conflict' } };
    const who = { account, addressGroup };
    return withSecondFactorThrottle(deps, who, async (): Promise<CheckResult<T | Refused>> => {
      const outcome = await check();
      return { counts: outcome.kind === 'failed' ? 'failed' : 'partialSuccess', outcome };
    });
  });
  deps.relay.wake();
  return counted;
}
