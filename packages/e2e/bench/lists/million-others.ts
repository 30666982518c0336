import { connectDb, query, type Db } from '@gatehouse/db';
import type { Places } from './million-sessions.ts';

/** The fields of some invitations, content definitions and tokens. */
export interface OtherExamples {
  administratorId: string;
}

/** The tables that are filled here. */
const TABLES = {
  invitation: 'invitation',
  content: 'content_definition',
  token: 'api_token',
  erasure: 'erasure',
  person: 'person',
} as const;

/**
 * Fills a database with this many pending invitations, content definitions, tokens, erasures and persons, and 400 days of counts:
 * one link in ten thousand has not expired, one name in a thousand is Quagga, one erasure in a hundred is pending.
 */
export async function fillOthers(
  databaseUrl: string,
  rows: number,
): Promise<{ places: Record<keyof typeof TABLES, Places>; examples: OtherExamples }> {
  const db = connectDb({
    url: databaseUrl,
    applicationName: 'gatehouse-bench',
    poolMax: 1,
    hasLongTimeouts: true,
  });
  try {
    const [admin] = await query<{ id: string }>(db, "select id from account where role = 'Admin' limit 1");
    if (admin === undefined) throw new Error('there is no administrator');
    const bindings = { rows, administratorId: admin.id };
    // These erasures belong to accounts that no longer exist.
    await query(db, 'alter table erasure disable trigger user');
    for (const sql of [CONTENTS, INVITATIONS, TOKENS, ERASURES, PERSONS]) await query(db, sql, bindings);
    await query(db, ACTIVITY);
    await query(db, 'alter table erasure enable trigger user');
    for (const table of [...Object.values(TABLES), 'activity']) await query(db, `vacuum analyze ${table}`);
    const places = {
      invitation: await placesIn(db, TABLES.invitation, rows),
      content: await placesIn(db, TABLES.content, rows),
      token: await placesIn(db, TABLES.token, rows),
      erasure: await placesIn(db, TABLES.erasure, rows),
      person: await placesIn(db, TABLES.person, rows),
    };
    return { places, examples: { administratorId: admin.id } };
  } finally {
    await db.destroy();
  }
}

async function placesIn(db: Db, table: string, rows: number): Promise<Places> {
  /** The id after which there are this many newer ones. */
  const nth = async (offset: number): Promise<string> => {
    const sql = `select id from ${table} order by id desc offset ? limit 1`;
    const [row] = await query<{ id: string }>(db, sql, [Math.floor(offset)]);
    if (row === undefined) throw new Error('there are too few rows');
    return row.id;
  };
  const thousandth = await nth(Math.min(999 * 50, rows / 4));
  return { first: undefined, thousandth, middle: await nth(rows / 2), last: await nth(rows - 30) };
}

const EACH = `
  from generate_series(1, cast(:rows as bigint)) n
  cross join lateral (select now() - interval '10 minutes' - interval '60 days' * (1 - n / cast(:rows as float8)) as at) made`;

const NAME = "case when n % 1000 = 0 then 'Quagga ' || n else 'Person ' || n end";

/** The first fifty are the channels that sessions watch. */
const CONTENTS = `
  insert into content_definition (id, name, kind, owner_id, created_at)
  select case when n <= 50 then bench_id(timestamptz '2020-01-01', n) else bench_id(at, n) end, ${NAME},
    case when n % 10000 = 0 then 'LiveChannel' when n % 2 = 0 then 'Recording' else 'Document' end,
    case when n % 3 = 0 then cast(:administratorId as uuid) end, at ${EACH}`;

const INVITATIONS = `
  insert into invitation (id, account_id, content_definition_id, token_hash, invited_by, invited_at, expires_at, invited_email)
  select bench_id(at, n), account.id, bench_id(timestamptz '2020-01-01', 1 + n % 50), decode(lpad(to_hex(n), 64, '0'), 'hex'),
    cast(:administratorId as uuid), at, case when n % 10000 = 0 then now() + interval '7 days' else now() - interval '1 day' end,
    account.email ${EACH}
  join (select id, email, row_number() over (order by id) as number from account) account on account.number = n`;

const TOKENS = `
  insert into api_token (id, name, prefix, token_hash, role, created_at, created_by)
  select bench_id(at, n), ${NAME}, 'sat_' || n, decode(lpad(to_hex(n), 64, '0'), 'hex'), 'Service', at,
    cast(:administratorId as uuid) ${EACH}`;

const ERASURES = `
  insert into erasure (id, account_id, asked_at, asked_by_kind, erases_at, restored_at, erased_at)
  select bench_id(at, n), bench_id(timestamptz '2019-01-01', n), at, 'System', at + interval '90 days',
    case when n % 100 = 1 then now() end, case when n % 100 > 1 then now() end ${EACH}`;

const PERSONS = `
  insert into person (id, name, name_key, created_at)
  select bench_id(at, n), ${NAME}, lower(${NAME}), at ${EACH}`;

const ACTIVITY = `
  insert into activity (at, kind, count)
  select at, 'refused.kind' || n, n
  from generate_series(date_trunc('hour', now()) - interval '399 days', date_trunc('hour', now()), interval '1 hour') at,
    generate_series(1, 20) n
  on conflict do nothing`;
