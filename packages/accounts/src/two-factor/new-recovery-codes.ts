import { newRecoveryCode, readRecoveryCode } from '@gatehouse/auth-core';
import { recoveryCodes, type Transaction } from '@gatehouse/db';
import type { SecondFactorDeps } from '../deps.ts';
import { hashRecoveryCode } from './second-factor.ts';

const RECOVERY_CODES = 10;

/** Replaces all recovery codes of the account with new ones; they are shown only this once. */
export async function newRecoveryCodes(
  deps: SecondFactorDeps,
  tx: Transaction,
  accountId: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const hashes = codes.map((code) => hashRecoveryCode(deps, accountId, readRecoveryCode(code) ?? ''));
  await recoveryCodes.replaceAll(tx, accountId, hashes);
  return codes;
}
