import { readCode } from '@gatehouse/auth-core';
import {
  accountCodes,
  type Account,
  type CodePurpose,
  type LivingCode,
  type Transaction,
} from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import { beginFromAddress, type Throttled } from './attempts.ts';
import type { AccountsDeps } from '../deps.ts';

/**
 * How a check of a code ended. `use` uses it up, and is `false` when somebody was faster. `email` is the address
 * that it was mailed to, where it is not the account's own.
 */
export type CodeOutcome =
  { use: (tx: Transaction) => Promise<boolean>; email: string | undefined } | { failed: true } | Throttled;

/**
 * Wrong tries of one code from one address (IPv6 by /64). By address, as a stranger could use up the owner's tries
 * otherwise, and keep them from ever verifying or resetting.
 */
const TRIES_PER_ADDRESS = 5;

/**
 * Compares a code as it was typed with those that were mailed for this purpose. Every try counts before it is
 * compared; no account, and one without a code, give the same outcome as a wrong code. What no code can be is refused
 * at once and counts nowhere: it is no guess.
 */
export async function checkCode(
  deps: AccountsDeps,
  attempt: {
    account: Pick<Account, 'id' | 'email'> | undefined;
    purpose: CodePurpose;
    typed: string;
    addressGroup: string;
  },
): Promise<CodeOutcome> {
  const symbols = readCode(attempt.typed);
  if (symbols === undefined) return { failed: true };
  const fromAddress = await beginFromAddress(deps, attempt.addressGroup);
  if ('retryAfterSeconds' in fromAddress) return fromAddress;
  try {
    const kept = await findFittingCode(deps, attempt, symbols);
    if (kept === undefined) {
      await fromAddress.failed();
      return { failed: true };
    }
    await fromAddress.succeeded();
    const { account, purpose } = attempt;
    return {
      use: (tx) => accountCodes.use(tx, account?.id ?? NOBODY, purpose, kept.id),
      email: kept.email ?? undefined,
    };
  } catch (error) {
    await fromAddress.aborted();
    throw error;
  }
}

async function findFittingCode(
  deps: AccountsDeps,
  { account, purpose, addressGroup }: Parameters<typeof checkCode>[1],
  symbols: string,
): Promise<LivingCode | undefined> {
  const accountId = account?.id ?? NOBODY;
  const wanted = { accountId, purpose, addressGroup, perAddress: TRIES_PER_ADDRESS };
  const living = await accountCodes.takeTries(deps.db, wanted);
  return living.find(({ hash, email }) => {
    const binding = { purpose, accountId, email: emailKey(email ?? account?.email ?? '') };
    return deps.codes.equal(hash, deps.codes.hash(binding, symbols));
  });
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
