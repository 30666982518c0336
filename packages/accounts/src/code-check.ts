import { readCode } from '@gatehouse/auth-core';
import { accountCodes, type Account, type CodePurpose, type Executor } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';
import { beginFromAddress, type Throttled } from './attempts.ts';
import type { AccountsDeps } from './deps.ts';

/**
 * How a check of a code ended. `use` uses it up, and is `false` when somebody was faster. `email` is the address
 * that it was mailed to, where it is not the account's own.
 */
export type CodeOutcome =
  { use: (tx: Executor) => Promise<boolean>; email: string | undefined } | { failed: true } | Throttled;

/**
 * Compares a code as it was typed with the one that was mailed for this purpose. Every try counts before it is
 * compared; no account, and one without a code, cost the same work and give the same outcome as a wrong code.
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
  const fromAddress = await beginFromAddress(deps, attempt.addressGroup);
  if ('retryAfterSeconds' in fromAddress) return fromAddress;
  try {
    const kept = await findFittingCode(deps, attempt);
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
    await fromAddress.undecided();
    throw error;
  }
}

async function findFittingCode(
  deps: AccountsDeps,
  { account, purpose, typed }: Parameters<typeof checkCode>[1],
): Promise<{ id: string; email: string | null } | undefined> {
  const accountId = account?.id ?? NOBODY;
  const kept = await accountCodes.takeTry(deps.db, accountId, purpose);
  const email = emailKey(kept?.email ?? account?.email ?? '');
  const given = deps.codes.hash({ purpose, accountId, email }, readCode(typed) ?? '');
  return kept !== undefined && deps.codes.equal(kept.hash, given) ? kept : undefined;
}

const NOBODY = '00000000-0000-0000-0000-000000000000';
