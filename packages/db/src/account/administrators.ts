import { query, type Executor, type Transaction } from '../postgres/connect.ts';

const LOCK = 7_114_201_983;

/**
 * Lets one transaction at a time remove an administrator, or create the first one. To be called before any account is
 * locked: otherwise two administrators who demote each other would both see the other one stay.
 */
export async function lockRights(tx: Transaction): Promise<void> {
  await query(tx, 'select pg_advisory_xact_lock(?)', [LOCK]);
}

/** Whether there is any administrator, able to log in or not. */
export async function exist(executor: Executor): Promise<boolean> {
  const rows = await query(executor, `select 1 from account where role = 'Admin' limit 1`);
  return rows.length > 0;
}

/** Whether others than this account can administer: now, and without an expiry. */
export async function findOthers(
  tx: Transaction,
  accountId: string,
): Promise<{ isAnyEnabled: boolean; isAnyLasting: boolean }> {
  const [row] = await query<{ isAnyEnabled: boolean | null; isAnyLasting: boolean | null }>(
    tx,
    `select count(*) > 0 as "isAnyEnabled", bool_or(expires_at is null) as "isAnyLasting"
     from account
     where role = 'Admin' and id <> ? and not is_disabled and (expires_at is null or expires_at > now())
       and signup = 'complete' and email_verified_at is not null`,
    [accountId],
  );
  return { isAnyEnabled: row?.isAnyEnabled ?? false, isAnyLasting: row?.isAnyLasting ?? false };
}
