import { connectDb, query, type Db } from '@gatehouse/db';

/** A session for each of these is one row; so many at a time, that progress can be seen. */
const BATCH = 100_000;
/** Accounts are fewer than sessions, as people come again. */
const SESSIONS_PER_ACCOUNT = 5;
const CHANNELS = 50;

/** Where pages are asked for: behind no session at all, behind the middle one, and behind nearly the last. */
export interface Places {
  start: undefined;
  middle: string;
  end: string;
}

/** Something to filter by that some sessions have. */
export interface Examples {
  userId: string;
  contentDefinitionId: string;
}

/**
 * Fills a database with the sessions of two months, in the order of their logins: one in twenty is active, one in
 * forty online, one in three watches or watched a channel, and one account in a thousand is called Quagga.
 */
export async function fill(
  databaseUrl: string,
  sessions: number,
  onProgress: (done: number) => void,
  sessionsPerAccount = SESSIONS_PER_ACCOUNT,
): Promise<{ places: Places; examples: Examples }> {
  const db = connectDb({ url: databaseUrl, applicationName: 'gatehouse-bench', poolMax: 1, isPatient: true });
  try {
    await query(db, IDENTIFIER);
    const indexes = await query<{ name: string; definition: string }>(db, INDEXES);
    for (const { name } of indexes) await query(db, `drop index ${name}`);
    const accounts = Math.ceil(sessions / sessionsPerAccount);
    for (let from = 1; from <= accounts; from += BATCH) {
      await query(db, ACCOUNTS, { from, to: Math.min(accounts, from + BATCH - 1) });
      onProgress(0);
    }
    for (let from = 1; from <= sessions; from += BATCH) {
      const to = Math.min(sessions, from + BATCH - 1);
      await query(db, SESSIONS, { from, to, sessions, accounts, channels: CHANNELS });
      onProgress(to);
    }
    await query(db, "set maintenance_work_mem = '256MB'");
    for (const { definition } of indexes) await query(db, definition);
    await query(db, 'vacuum analyze account');
    await query(db, 'vacuum analyze user_session');
    const places = { start: undefined, middle: await nth(db, sessions / 2), end: await nth(db, 30) };
    const [examples] = await query<Examples>(
      db,
      `select account_id as "userId", content_definition_id as "contentDefinitionId"
       from user_session where content_definition_id is not null limit 1`,
    );
    if (examples === undefined) throw new Error('nothing was filled in');
    return { places, examples };
  } finally {
    await db.destroy();
  }
}

/** The id of the session that so many are older than. */
async function nth(db: Db, offset: number): Promise<string> {
  const sql = 'select id from user_session order by id offset ? limit 1';
  const [row] = await query<{ id: string }>(db, sql, [Math.floor(offset)]);
  if (row === undefined) throw new Error('there are too few sessions');
  return row.id;
}

/** A UUID of version 7 for a time and a number. */
const IDENTIFIER = `
  create function bench_id(at timestamptz, n bigint) returns uuid language sql immutable as $$
    select cast(lpad(to_hex(cast(extract(epoch from at) * 1000 as bigint)), 12, '0') || '7000'
      || '8' || lpad(to_hex(n), 15, '0') as uuid)
  $$`;

const BEGAN = "timestamptz '2020-01-01'";

const ACCOUNTS = `
  insert into account (id, email, email_key, display_name, role, email_verified_at)
  select bench_id(${BEGAN}, n), 'person' || n || '@example.com', 'person' || n || '@example.com',
    case when n % 1000 = 0 then 'Quagga ' || n else 'Person ' || n end,
    case when n % 10 = 0 then 'Guest' else 'User' end, now()
  from generate_series(cast(:from as bigint), cast(:to as bigint)) n`;

/** Those that nothing but speed depends on: built at the end, they take a fraction of the time. */
const INDEXES = `
  select cast(cast(indexrelid as regclass) as text) as name, pg_get_indexdef(indexrelid) as definition
  from pg_index
  where indrelid in (cast('account' as regclass), cast('user_session' as regclass)) and not indisunique`;

const SESSIONS = `
  insert into user_session (
    id, account_id, status, is_exclusive, refresh_current, refresh_next, device_name, user_agent, ip_address,
    content_definition_id, created_at, last_seen_at, last_pinged_at, expires_at, ended_at, end_reason)
  select bench_id(login.at, n), bench_id(${BEGAN}, 1 + n % :accounts),
    case when is_active then case when n % 400 = 0 then 2 else 1 end
      else (array[3, 3, 3, 4, 7, 7, 8])[1 + n % 7] end,
    false, '\\x00', '\\x00', 'Phone', 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36', '192.0.2.1',
    case when n % 3 = 0 then bench_id(${BEGAN}, 1 + n % :channels) end,
    login.at, seen.at, seen.at, now() + interval '30 days',
    case when not is_active then seen.at end, case when not is_active then 'expired' end
  from generate_series(cast(:from as bigint), cast(:to as bigint)) n
  cross join lateral (
    select now() - interval '10 minutes' - interval '60 days' * (1 - n / cast(:sessions as float8)) as at,
      n % 20 = 0 as is_active) login
  cross join lateral (
    select case when not is_active then login.at + interval '1 hour'
      when n % 40 = 0 then now() + interval '1 hour' else now() - interval '10 minutes' end as at) seen`;
