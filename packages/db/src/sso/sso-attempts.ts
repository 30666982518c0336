import { statement, txStatement } from '../postgres/statements.ts';

/** Uses up a sign-on; `false` if it was used before or has expired, by the database’s clock. */
export const use = txStatement.any<{ digest: Buffer; expiresAtSeconds: number }>(`
  insert into sso_attempt (digest, expires_at)
  select :digest, to_timestamp(:expiresAtSeconds)
  where to_timestamp(:expiresAtSeconds) > now()
  on conflict (digest) do nothing
  returning digest`);

/** Stores a digest for this number of seconds; a digest that is already stored stays as it is. */
export const record = txStatement.run<[digest: Buffer, lifetimeSeconds: number]>(`
  insert into sso_attempt (digest, expires_at)
  values (?, now() + make_interval(secs => ?))
  on conflict (digest) do nothing`);

export const forget = txStatement.run<[digest: Buffer]>('delete from sso_attempt where digest = ?');

/** The keys of the advisory locks, in the same order for all transactions, so that they cannot deadlock. */
const LINES = `(
  select hashtextextended(encode(digest, 'hex'), 0) as line
  from unnest(?::bytea[]) digest
  order by 1
) lines`;

export const lock = txStatement.run<[digests: readonly Buffer[]]>(
  `select pg_advisory_xact_lock(line) from ${LINES}`,
);

/** Like `lock`, but shared: other transactions may lock the same digests with this function at the same time. */
export const lockShared = txStatement.run<[digests: readonly Buffer[]]>(
  `select pg_advisory_xact_lock_shared(line) from ${LINES}`,
);

export const isRecordedUntil = statement.any<[digests: readonly Buffer[], expiresAtSeconds: number]>(
  'select 1 from sso_attempt where digest = any(?::bytea[]) and expires_at >= to_timestamp(?) limit 1',
);
