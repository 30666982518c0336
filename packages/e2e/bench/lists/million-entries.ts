import { connectDb, query } from '@gatehouse/db';
import type { Places } from './million-sessions.ts';

/** Values that occur in some audit entries and mails, to filter by. */
export interface EntryExamples {
  targetId: string;
  traceId: string;
  /** An hour in which some entries were written, and some mails were sent or parked. */
  hour: { from: Date; to: Date };
}

/**
 * Fills a database with this number of audit entries and of mails, spread over two months. Three in four entries are
 * about an account, one in ten are by the installation itself, and one mail in a thousand is parked. The function
 * `bench_id` must exist.
 */
export async function fillEntries(
  databaseUrl: string,
  rows: number,
): Promise<{ audit: Places; mails: Places; examples: EntryExamples }> {
  const db = connectDb({
    url: databaseUrl,
    applicationName: 'gatehouse-bench',
    poolMax: 1,
    hasLongTimeouts: true,
  });
  try {
    await query(db, AUDIT, { rows });
    await query(db, MAILS, { rows });
    await query(db, 'vacuum analyze audit');
    await query(db, 'vacuum analyze mail_delivery');
    const placesIn = async (table: 'audit' | 'mail_delivery'): Promise<Places> => {
      const nth = async (offset: number): Promise<string> => {
        const sql = `select id from ${table} order by id desc offset ? limit 1`;
        const [row] = await query<{ id: string }>(db, sql, [Math.floor(offset)]);
        if (row === undefined) throw new Error('there are too few rows');
        return row.id;
      };
      const thousandth = await nth(Math.min(999 * 50, rows / 4));
      return { first: undefined, thousandth, middle: await nth(rows / 2), last: await nth(rows - 30) };
    };
    const [examples] = await query<{ targetId: string; traceId: string; from: Date; to: Date }>(
      db,
      `select target_id as "targetId", trace_id as "traceId", at as "from", at + interval '1 hour' as "to"
       from audit where trace_id is not null and target_id is not null order by id offset ${Math.floor(rows / 2)} limit 1`,
    );
    if (examples === undefined) throw new Error('nothing was filled in');
    const { targetId, traceId, from, to } = examples;
    return {
      audit: await placesIn('audit'),
      mails: await placesIn('mail_delivery'),
      examples: { targetId, traceId, hour: { from, to } },
    };
  } finally {
    await db.destroy();
  }
}

const WHEN = `now() - interval '10 minutes' - interval '60 days' * (1 - n / cast(:rows as float8))`;

const AUDIT = `
  insert into audit (id, at, action, actor_kind, actor_id, target_kind, target_id, ip_address, trace_id, details)
  select bench_id(at, n), at,
    (array['account.changed', 'user-session.changed', 'account.registered', 'content.changed'])[1 + n % 4],
    case when n % 10 = 0 then 'System' else 'Account' end,
    case when n % 10 > 0 then cast(lpad(to_hex(n % 500), 32, '0') as uuid) end,
    case when n % 4 = 1 then 'UserSession' else 'Account' end,
    cast(lpad(to_hex(n % 200000), 32, '0') as uuid), inet '10.0.0.0' + n % 50000, md5(n::text), '{"Changed": ["Role"]}'
  from generate_series(1, cast(:rows as bigint)) n
  cross join lateral (select ${WHEN} as at) change`;

const MAILS = `
  insert into mail_delivery (
    id, kind, account_id, email, event, status, tries, next_try_at, created_at, sent_at, parked_at, trace_id, last_error)
  select bench_id(at, n), 'verification-code', cast(lpad(to_hex(n % 200000), 32, '0') as uuid),
    'person' || n % 200000 || '@example.com', '{"data": {}}', case when is_parked then 'Parked' else 'Sent' end, 1, null, at,
    case when not is_parked then at + interval '2 seconds' end, case when is_parked then at + interval '16 hours' end,
    md5(n::text), case when is_parked then '550 no such mailbox' end
  from generate_series(1, cast(:rows as bigint)) n
  cross join lateral (select ${WHEN} as at, n % 1000 = 0 as is_parked) mail`;
