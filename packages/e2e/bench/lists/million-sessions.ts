import { connectDb, query, type Db } from '@gatehouse/db';

/** Rows are inserted in batches of this size, so that progress can be reported. */
const BATCH = 100_000;
/** There are fewer accounts than sessions, because people log in repeatedly. */
const SESSIONS_PER_ACCOUNT = 5;
const CHANNELS = 50;

/**
 * Positions of the pages of 50 that are requested: the first page, the thousandth, the middle one, and one near the
 * end.
 */
export interface Places {
  first: undefined;
  thousandth: string;
  middle: string;
  last: string;
}

/** Values that occur in some sessions or accounts, to filter by. */
export interface Examples {
  sessionId: string;
  userId: string;
  contentDefinitionId: string;
  /** Periods in which five thousand active sessions began, or five thousand accounts were created. */
  sessionsBetween: { from: Date; to: Date };
  accountsBetween: { from: Date; to: Date };
}

/**
 * Fills a database with the sessions of two months, in the order of their logins. One in twenty is active, one in
 * forty online, one in three watches or watched a channel, and one in a hundred thousand has a unique address and ended
 * for a unique reason. One account in a thousand is named Quagga. The accounts were created one minute apart.
 */
export async function fill(
  databaseUrl: string,
  sessions: number,
  onProgress: (done: number) => void,
  sessionsPerAccount = SESSIONS_PER_ACCOUNT,
): Promise<{ sessions: Places; accounts: Places; examples: Examples }> {
  const db = connectDb({
    url: databaseUrl,
    applicationName: 'gatehouse-bench',
    poolMax: 1,
    hasLongTimeouts: true,
  });
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
    await query(db, 'vacuum analyze two_factor');
    return {
      sessions: await placesIn(db, 'user_session', sessions),
      accounts: await placesIn(db, 'account', accounts),
      examples: await findExamples(db),
    };
  } finally {
    await db.destroy();
  }
}

async function placesIn(db: Db, table: 'account' | 'user_session', rows: number): Promise<Places> {
  /** The id for which exactly `offset` rows are newer. */
  const nth = async (offset: number): Promise<string> => {
    const sql = `select id from ${table} order by id desc offset ? limit 1`;
    const [row] = await query<{ id: string }>(db, sql, [Math.floor(offset)]);
    if (row === undefined) throw new Error('there are too few rows');
    return row.id;
  };
  const thousandth = await nth(Math.min(999 * 50, rows / 4));
  return { first: undefined, thousandth, middle: await nth(rows / 2), last: await nth(rows - 30) };
}

async function findExamples(db: Db): Promise<Examples> {
  const [row] = await query<Pick<Examples, 'sessionId' | 'userId' | 'contentDefinitionId'>>(
    db,
    `select id as "sessionId", account_id as "userId", content_definition_id as "contentDefinitionId"
     from user_session where content_definition_id is not null limit 1`,
  );
  const between = async (rows: string) => {
    const sql = `select min(at) as "from", max(at) as "to" from (${rows} order by id desc limit 4990) newest`;
    const [times] = await query<{ from: Date; to: Date }>(db, sql);
    if (times === undefined) throw new Error('nothing was filled in');
    return times;
  };
  if (row === undefined) throw new Error('nothing was filled in');
  return {
    ...row,
    sessionsBetween: await between('select created_at as at, id from user_session where ended_at is null'),
    // Not the administrator who sends the request, because the last administrator can never be disabled.
    accountsBetween: await between(
      "select created_at as at, id from account where email like 'person%@example.com'",
    ),
  };
}

/** A UUID version 7 for a time and a number. */
const IDENTIFIER = `
  create function bench_id(at timestamptz, n bigint) returns uuid language sql immutable as $$
    select cast(lpad(to_hex(cast(extract(epoch from at) * 1000 as bigint)), 12, '0') || '7000'
      || '8' || lpad(to_hex(n), 15, '0') as uuid)
  $$`;

const BEGAN = "timestamptz '2020-01-01'";

/** When the account with this number was created. */
const MADE = `${BEGAN} + n * interval '1 minute'`;

const ACCOUNTS = `
  with made as (
    insert into account (
      id, email, email_key, display_name, role, email_verified_at, is_disabled, created_at, last_login_at)
    select bench_id(${MADE}, n), 'person' || n || '@example.com', 'person' || n || '@example.com',
      case when n % 1000 = 0 then 'Quagga ' || n else 'Person ' || n end,
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
  select bench_id(login.at, n), bench_id(${BEGAN} + (1 + n % :accounts) * interval '1 minute', 1 + n % :accounts),
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
