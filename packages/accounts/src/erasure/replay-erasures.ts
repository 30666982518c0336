import { accounts, audit, erasures, inTransaction, type Erasure } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import type { AccountsDeps } from '../deps.ts';

/** An erasure that was completed or cancelled, which a database restored from a backup may not know about. */
export type EndedErasure = Pick<Erasure, 'id' | 'accountId'> & { end: 'erased' | 'restored' };

const SYSTEM = { kind: 'System' } as const;

/**
 * Repeats the outcome of an erasure: an account that was erased, and exists again, is disabled and due at once; an
 * erasure that was cancelled is cancelled. `false` if the database knows the outcome already. The sessions end when
 * Admin erases the account.
 */
export async function replayErasure(
  { db }: Pick<AccountsDeps, 'db'>,
  { id, accountId, end }: EndedErasure,
): Promise<boolean> {
  return inTransaction(db, NO_DEADLINE, async (tx) => {
    const account = await accounts.lockById(tx, accountId);
    if (account === undefined) return false;
    const target = { kind: 'Account', id: accountId } as const;
    if (end === 'restored') {
      if ((await erasures.cancelById(tx, id)) === undefined) return false;
      await audit.append(tx, [{ action: 'account.erasure-taken-back', actor: SYSTEM, target }], undefined);
      return true;
    }
    if (await erasures.makeDue(tx, accountId)) return true;
    const after = { days: 0 };
    const due = await erasures.insert(tx, { accountId, askedBy: SYSTEM, after, restoreHash: undefined });
    if (due === undefined) return false;
    const details = { ErasesAt: due.toISOString() };
    await audit.append(
      tx,
      [{ action: 'account.erasure-requested', actor: SYSTEM, target, details }],
      undefined,
    );
    return true;
  });
}
