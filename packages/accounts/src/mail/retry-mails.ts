import { audit, inTransaction, mailAdmin, type Actor, type ParkedMailFilter } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';

/** The maximum per call, so that it finishes within a request's time. */
export const RETRIED_MAX = 5000;

/** How many mails were retried, and how many were skipped because their code or link no longer works. */
export type RetriedMails = { kind: 'retried'; count: number; skipped: number } | { kind: 'too_many' };

/**
 * Sends all matching parked mails again, as `retryMail` does for one. With `isTrial`, it changes nothing and returns
 * what it would do.
 */
export async function retryMails(
  deps: Pick<AccountsDeps, 'db'>,
  { filter, isTrial }: { filter: ParkedMailFilter; isTrial: boolean },
  actor: Actor,
  origin: Origin,
): Promise<RetriedMails> {
  return await inTransaction(deps.db, origin, async (tx): Promise<RetriedMails> => {
    const parked = await mailAdmin.lockParked(tx, filter, RETRIED_MAX + 1);
    if (parked.length > RETRIED_MAX) return { kind: 'too_many' };
    const living = parked.filter(({ isDead }) => !isDead);
    if (!isTrial) {
      await mailAdmin.retry(
        tx,
        living.map(({ id }) => id),
      );
      const entries = living.map(({ id, kind, accountId }) => ({
        action: 'mail.retried' as const,
        actor,
        target: { kind: 'Mail' as const, id },
        details: { Kind: kind, UserId: accountId },
      }));
      await audit.append(tx, entries, origin);
    }
    return { kind: 'retried', count: living.length, skipped: parked.length - living.length };
  });
}
