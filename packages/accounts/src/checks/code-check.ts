import { readCode } from '@gatehouse/auth-core';
import { accountCodes } from '@gatehouse/db';
import type { Account, CodePurpose, ActiveCode, Transaction } from '@gatehouse/db';
import { countedFor } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { FAILED_CHECK, withAddressThrottle, type Throttled } from './attempts.ts';
import type { AccountsDeps, ThrottleDeps } from '../deps.ts';

/** `use` uses the code up; `false` if another request did. `email`: where it was mailed, if not the account's own. */
export type CodeOutcome =
  | { kind: 'right'; id: string; use: (tx: Transaction) => Promise<boolean>; email: string | undefined }
  | { kind: 'failed' }
  | Throttled;

/** By address group (`countedFor`): a stranger could otherwise use up the owner's tries. */
const TRIES_PER_ADDRESS = 5;

/**
 * Compares a typed code with those mailed for this purpose. Every try is counted before; no account, or none with a
 * code, has the same result as a wrong code. Text that cannot be a code is no guess, and not counted.
 */
export async function checkCode(
  deps: ThrottleDeps & Pick<AccountsDeps, 'codes'>,
  attempt: {
    account: Pick<Account, 'id' | 'email'> | undefined;
    purpose: CodePurpose;
    typed: string;
    addressGroup: string;
    /** Whether a right code is not about to be used: then its try is given back. */
    isOnlyAsked?: boolean;
  },
): Promise<CodeOutcome> {
  const symbols = readCode(attempt.typed);
  if (symbols === undefined) return { kind: 'failed' };
  return withAddressThrottle<CodeOutcome>(deps, { addressGroup: attempt.addressGroup }, async () => {
    const kept = await findFittingCode(deps, attempt, symbols);
    if (kept === undefined) return FAILED_CHECK;
    const accountId = attempt.account?.id ?? NOBODY;
    const use = (tx: Transaction) => accountCodes.use(tx, accountId, kept.purpose, kept.id);
    return {
      counts: 'succeeded',
      outcome: { kind: 'right', id: kept.id, use, email: kept.email ?? undefined },
    };
  });
}

async function findFittingCode(
  deps: ThrottleDeps & Pick<AccountsDeps, 'codes'>,
  { account, purpose, addressGroup, isOnlyAsked = false }: Parameters<typeof checkCode>[1],
  symbols: string,
): Promise<ActiveCode | undefined> {
  const accountId = account?.id ?? NOBODY;
  const wanted = { accountId, purpose, limits: countedFor(addressGroup, TRIES_PER_ADDRESS) };
  const living = await accountCodes.takeTries(deps.db, wanted);
  const fitting = living.find(({ hash, email, ...kept }) => {
    const binding = { purpose: kept.purpose, accountId, email: emailKey(email ?? account?.email ?? '') };
    return deps.codes.equal(hash, deps.codes.hash(binding, symbols));
  });
  if (isOnlyAsked && fitting !== undefined) await accountCodes.giveTriesBack(deps.db, wanted, living);
  return fitting;
}

export const NOBODY = '00000000-0000-0000-0000-000000000000';
