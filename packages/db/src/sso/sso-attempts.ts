import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** Uses up a sign-on; `false` if it was used before or has expired, by the database’s clock. */
export async function use(tx: Transaction, attempt: { digest: Buffer; expiresAtSeconds: number }) {
  const sql = `insert into sso_attempt (digest, expires_at)
    select :digest, to_timestamp(:expiresAtSeconds)
    where to_timestamp(:expiresAtSeconds) > now()
    on conflict (digest) do nothing
    returning digest`;
  return await query.any(tx, sql, attempt);
}

/** Stores a digest for this number of seconds; a digest that is already stored stays as it is. */
export async function record(tx: Transaction, digest: Buffer, lifetimeSeconds: number): Promise<void> {
  const sql = `insert into sso_attempt (digest, expires_at)
    values (?, now() + make_interval(secs => ?))
    on conflict (digest) do nothing`;
  await query(tx, sql, [digest, lifetimeSeconds]);
}

export async function forget(tx: Transaction, digest: Buffer): Promise<void> {
  await query(tx, 'delete from sso_attempt where digest = ?', [digest]);
}

/** Locks these digests, stored or not, until the transaction ends. */
export async function lock(tx: Transaction, digests: readonly Buffer[]): Promise<void> {
  await query(tx, `select pg_advisory_xact_lock(line) from ${LINES}`, [digests]);
}

/** Like `lock`, but shared: other transactions may lock the same digests with this function at the same time. */
export async function lockShared(tx: Transaction, digests: readonly Buffer[]): Promise<void> {
  await query(tx, `select pg_advisory_xact_lock_shared(line) from ${LINES}`, [digests]);
}

/** The keys of the advisory locks, in the same order for all transactions, so that they cannot deadlock. */
const LINES = `(
  select hashtextextended(encode(digest, 'hex'), 0) as line
  from unnest(?::bytea[]) digest
  order by 1
) lines`;

/** Whether any of these digests is stored at least until that time. */
export async function isRecordedUntil(
  executor: Executor,
  digests: readonly Buffer[],
  expiresAtSeconds: number,
) {
  const sql =
    'select 1 from sso_attempt where digest = any(?::bytea[]) and expires_at >= to_timestamp(?) limit 1';
  return await query.any(executor, sql, [digests, expiresAtSeconds]);
}
