import { disabledNow } from './disabled-now.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/**
 * An account that somebody registered for themselves and nobody has verified. Accounts that administrators create wait
 * in another state. What an administrator has decided about it stays: an expiry, that it is disabled, its content.
 */
const UNVERIFIED = `
  a.role = 'User' and a.signup = 'complete' and a.email_verified_at is null
  and not ${disabledNow('a')} and a.expires_at is null and not a.is_service
  and not exists (select 1 from content_access access where access.account_id = a.id)
  and not exists (select 1 from content_definition c where c.owner_id = a.id)`;
const UNVERIFIED_FOR_GOOD = `${UNVERIFIED}
  and a.created_at <= now() - make_interval(days => :days)
  and not exists (select 1 from account_code c where c.account_id = a.id and c.expires_at > now())`;

/** Up to `max` accounts that nobody has verified for more than `days` and that have no valid code, oldest first. */
export async function findExpired(
  executor: Executor,
  options: { days: number; max: number },
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    executor,
    `select a.id from account a where ${UNVERIFIED_FOR_GOOD} order by a.id limit :max`,
    options,
  );
  return rows.map(({ id }) => id);
}

/** Whether an account that the transaction has locked still meets the condition of `findExpired`. */
export async function isExpired(tx: Transaction, accountId: string, days: number): Promise<boolean> {
  const rows = await query(tx, `select 1 from account a where a.id = :accountId and ${UNVERIFIED_FOR_GOOD}`, {
    accountId,
    days,
  });
  return rows.length === 1;
}

/**
 * Deletes such an account of this email, unless it is the given one; returns its id. Whoever registered it has not shown
 * that the address is theirs, and must not keep an administrator from giving it to somebody.
 */
export async function removeOf(
  tx: Transaction,
  emailKey: string,
  exceptId: string | undefined,
): Promise<string | undefined> {
  const [row] = await query<{ id: string }>(
    tx,
    `delete from account a
     where a.email_key = :emailKey and a.id is distinct from cast(:exceptId as uuid) and ${UNVERIFIED}
     returning a.id`,
    { emailKey, exceptId: exceptId ?? null },
  );
  return row?.id;
}
