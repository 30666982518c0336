import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** Uses up a sign-on; `false` when it was used before or has expired, by the database’s clock. */
export async function use(
  tx: Transaction,
  attempt: { digest: Buffer; expiresAtSeconds: number },
): Promise<boolean> {
  const rows = await query(
    tx,
    `insert into sso_attempt (digest, expires_at)
     select :digest, to_timestamp(:expiresAtSeconds)
     where to_timestamp(:expiresAtSeconds) > now()
     on conflict (digest) do nothing
     returning digest`,
    attempt,
  );
  return rows.length === 1;
}

/** Deletes used sign-ons that could no longer come back; an hour late, in case the clock is set back. */
export async function deleteExpired(executor: Executor): Promise<void> {
  await query(executor, `delete from sso_attempt where expires_at < now() - interval '1 hour'`);
}
