import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { EXPIRED_WITHOUT_CONTENT } from './guest-accounts.ts';

/** A guest's account that can be erased. It owns no content, so its erasure takes nothing from others. */
const EXPIRED_FOR_GOOD = `
  a.content_expired_at <= now() - make_interval(days => :days) and ${EXPIRED_WITHOUT_CONTENT}
  and not exists (select 1 from content_definition c where c.owner_id = a.id)`;

/** Up to `max` guests who own no content and have had no access to any for more than `days`, longest first. */
export async function findExpired(
  executor: Executor,
  options: { days: number; max: number },
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    executor,
    `select a.id from account a where ${EXPIRED_FOR_GOOD} order by a.content_expired_at limit :max`,
    options,
  );
  return rows.map(({ id }) => id);
}

/** Whether an account that the transaction has locked still meets the condition of `findExpired`. */
export async function isExpired(tx: Transaction, accountId: string, days: number): Promise<boolean> {
  const rows = await query(tx, `select 1 from account a where a.id = :accountId and ${EXPIRED_FOR_GOOD}`, {
    accountId,
    days,
  });
  return rows.length === 1;
}
