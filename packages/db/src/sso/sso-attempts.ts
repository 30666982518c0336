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

/** Remembers something for so many seconds; what is remembered already stays as it is. */
export async function note(tx: Transaction, digest: Buffer, lifetimeSeconds: number): Promise<void> {
  await query(
    tx,
    `insert into sso_attempt (digest, expires_at)
     values (?, now() + make_interval(secs => ?))
     on conflict (digest) do nothing`,
    [digest, lifetimeSeconds],
  );
}

/** Forgets what is remembered by this digest. */
export async function forget(tx: Transaction, digest: Buffer): Promise<void> {
  await query(tx, 'delete from sso_attempt where digest = ?', [digest]);
}

/** Whether something of these is remembered at least until then. */
export async function isNotedUntil(
  executor: Executor,
  digests: readonly Buffer[],
  expiresAtSeconds: number,
): Promise<boolean> {
  const rows = await query(
    executor,
    'select 1 from sso_attempt where digest = any(?::bytea[]) and expires_at >= to_timestamp(?) limit 1',
    [digests, expiresAtSeconds],
  );
  return rows.length === 1;
}

/** Deletes used sign-ons that could no longer come back; an hour late, in case the clock is set back. */
export async function deleteExpired(executor: Executor): Promise<void> {
  await query(executor, `delete from sso_attempt where expires_at < now() - interval '1 hour'`);
}
