import { query, type Db } from '@gatehouse/db';
import { withDb } from '../database.ts';

/** Rows are inserted in batches of this size, so that progress can be reported. */
const BATCH = 100_000;
const CHANNELS = 50;
const PAGE = 50;

/**
 * Fills a database with the sessions of two months, in the order of their logins. One in twenty is active, one in
 * forty online, one in three watches or watched a channel, and one in a hundred thousand has a unique address and ended
 * for a unique reason. There are as many accounts, created one minute apart. Returns the session before the thousandth
 * page of the list, or before the page after a quarter of a shorter list.
 */
export function fill(databaseUrl: string, sessions: number, onProgress: (done: number) => void) {
  const filling = async (db: Db): Promise<string> => {
    await query(db, IDENTIFIER);
    const indexes = await query<{ name: string; definition: string }>(db, INDEXES);
    for (const { name } of indexes) await query(db, `drop index ${name}`);
    for (const [rows, sizes] of [
      [ACCOUNTS, {}],
      [SESSIONS, { sessions, channels: CHANNELS }],
    ] as const) {
      for (let from = 1; from <= sessions; from += BATCH) {
        const to = Math.min(sessions, from + BATCH - 1);
        await query(db, rows, { from, to, ...sizes });
        onProgress(rows === SESSIONS ? to : 0);
      }
    }
    for (const { definition } of indexes) await query(db, definition);
    for (const table of ['account', 'user_session', 'two_factor']) await query(db, `vacuum analyze ${table}`);
    const newer = Math.min(999 * PAGE, Math.floor(sessions / 4));
    const [id] = await query.column<string>(db, NEWEST_BEFORE, [newer]);
    if (id === undefined) throw new Error('there are too few sessions');
    return id;
  };
  return withDb(databaseUrl, filling, { hasLongTimeouts: true });
}

/** The session that this many sessions are newer than. */
const NEWEST_BEFORE = 'select id from user_session order by id desc offset ? limit 1';

const IDENTIFIER = `
  create function bench_id(at timestamptz, n bigint) returns uuid language sql immutable as $$
    select cast(lpad(to_hex(cast(extract(epoch from at) * 1000 as bigint)), 12, '0') || '7000'
      || '8' || lpad(to_hex(n), 15, '0') as uuid)
  $$`;

const BEGAN = "timestamptz '2020-01-01'";

const MADE = `${BEGAN} + n * interval '1 minute'`;

const ACCOUNTS = `
  with made as (
    insert into account (
      id, email, email_key, display_name, role, email_verified_at, is_disabled, created_at, last_login_at)
    select bench_id(${MADE}, n), 'person' || n || '@example.com', 'person' || n || '@example.com',
      'Person ' || n,
      case when n % 10 = 0 then 'Guest' else 'User' end, now(), n % 5000 = 0, ${MADE},
      case when n % 3 > 0 then ${MADE} + interval '5 years' when n % 2 = 0 then ${MADE} + interval '1 day' end
    from generate_series(cast(:from as bigint), cast(:to as bigint)) n
    returning id, email
  )
  insert into two_factor (account_id, secret_sealed, password_version, enabled_at)
  select id, '\\x00', 0, now() from made where email like '%77@example.com'`;

/** Indexes that only affect speed. Creating them at the end takes a fraction of the time. */
const INDEXES = `
  select cast(cast(indexrelid as regclass) as text) as name, pg_get_indexdef(indexrelid) as definition
  from pg_index
  where indrelid in (cast('account' as regclass), cast('user_session' as regclass)) and not indisunique`;

const SESSIONS = `
  insert into user_session (
    id, account_id, status, is_exclusive, refresh_current, refresh_next, device_name, user_agent, ip_address,
    content_definition_id, created_at, last_seen_at, last_pinged_at, expires_at, ended_at, end_reason)
  select bench_id(login.at, n), bench_id(${BEGAN} + (1 + n % :sessions) * interval '1 minute', 1 + n % :sessions),
    case when is_active then case when n % 400 = 0 then 2 else 1 end
      else (array[3, 3, 3, 4, 7, 7, 8])[1 + n % 7] end,
    false, '\\x00', '\\x00', 'Phone', 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36',
    case when n % 100000 = 1 then inet '198.51.100.7' else inet '10.0.0.0' + n % 100000 end,
    case when n % 3 = 0 then bench_id(${BEGAN}, 1 + n % :channels) end,
    login.at, seen.at, seen.at, now() + interval '30 days',
    case when not is_active then seen.at end, case
      when is_active then null
      when n % 100000 = 1 then 'refresh_token_reused'
      else (array['replaced', 'replaced', 'replaced', 'administrator', 'expired', 'logout', 'access_revoked'])[1 + n % 7]
    end
  from generate_series(cast(:from as bigint), cast(:to as bigint)) n
  cross join lateral (
    select now() - interval '10 minutes' - interval '60 days' * (1 - n / cast(:sessions as float8)) as at,
      n % 20 = 0 as is_active) login
  cross join lateral (
    select case when not is_active then login.at + interval '1 hour'
      when n % 40 = 0 then now() + interval '1 hour' else now() - interval '10 minutes' end as at) seen`;
