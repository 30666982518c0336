import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDb, query, type Db } from '@gatehouse/db';
import { load, type Round } from '../load/load.ts';
import type { Row } from '../row.ts';
import { median, mediansOf } from '../load/rounds.ts';

/** Enough to keep all threads busy, and few enough not to fill the queue. */
const CONNECTIONS = 4 * availableParallelism();
/** A login takes as long as hundreds of pings. */
const LONGER = 2;
/** Admin looks for due accounts every five seconds. */
const BEGIN_SECONDS = 30;
const END_SECONDS = 600;
const POLL_MS = 50;

export const erasures: Row = {
  name: 'erasures',
  about: 'erasures per second next to logins at full load, and those logins compared with logins alone',
  async measure(bench) {
    const { signal, sizes } = bench;
    const system = await bench.system();
    const target = system.core.login;
    const db = connectDb({
      url: system.databaseUrl,
      applicationName: 'gatehouse-bench',
      poolMax: 1,
      hasLongTimeouts: true,
    });
    bench.onEnd(() => db.destroy());
    const perRound = Math.ceil(sizes.erasures / sizes.rounds);
    await query(db, ACCOUNTS, { count: perRound * sizes.rounds });
    const measureOnce = (): Promise<Round> =>
      load(target, LONGER * sizes.seconds, signal, { connections: CONNECTIONS });
    await measureOnce();
    const [alone, beside, rates]: [Round[], Round[], number[]] = [[], [], []];
    for (let round = 0; round < sizes.rounds; round++) {
      alone.push(await measureOnce());
      await query(db, DUE, { count: perRound });
      await until(db, BEGIN_SECONDS, (left) => left < perRound);
      const [before, began] = [await leftIn(db), performance.now()];
      beside.push(await measureOnce());
      const [after, seconds] = [await leftIn(db), (performance.now() - began) / 1000];
      if (after === 0) throw new Error('all were erased before the logins ended; --erasures takes more');
      rates.push((before - after) / seconds);
      await until(db, END_SECONDS, (left) => left === 0);
    }
    const [quiet, busy] = [mediansOf(alone), mediansOf(beside)];
    const detail = `${median(rates).toFixed(0)} erasures/s of accounts with five sessions, five audit entries and three mails; logins ${busy.rate.toFixed(1)}/s, p50 ${busy.p50.toFixed(0)} ms; alone ${quiet.rate.toFixed(1)}/s, p50 ${quiet.p50.toFixed(0)} ms`;
    bench.say(`  ${detail}`);
    return [
      {
        id: 'erasures',
        title: 'accounts erased per second next to logins at full load',
        value: median(rates),
        unit: '/s',
        bar: { atLeast: 50 },
        detail,
      },
      {
        id: 'erasures-logins',
        title: 'logins next to erasures : logins alone',
        value: busy.rate / quiet.rate,
        unit: '×',
        bar: { atLeast: 0.9 },
        detail,
      },
    ];
  },
};

/** The number of erasures that are due and not completed. */
async function leftIn(db: Db): Promise<number> {
  const [row] = await query<{ left: number }>(
    db,
    `select count(*)::int as left from erasure where erased_at is null and erases_at <= now()`,
  );
  return row?.left ?? 0;
}

async function until(db: Db, seconds: number, isReached: (left: number) => boolean): Promise<void> {
  const endsAt = performance.now() + seconds * 1000;
  while (!isReached(await leftIn(db))) {
    if (performance.now() > endsAt) throw new Error(`Admin erases too slowly: waited for ${seconds} s`);
    await sleep(POLL_MS);
  }
}

/** Closed accounts, each with five ended sessions, five audit entries and three mails. */
const ACCOUNTS = `
  with made as (
    insert into account (id, email, email_key, display_name)
    select id, id || '@gatehouse.example', id || '@gatehouse.example', 'Bench'
    from (select gen_random_uuid() as id from generate_series(1, cast(:count as integer))) n
    returning id
  ), sessions as (
    insert into user_session (
      id, account_id, status, is_exclusive, refresh_current, refresh_next, device_name, user_agent, ip_address,
      expires_at, ended_at, end_reason)
    select gen_random_uuid(), id, 7, false, '\\x00', '\\x00', 'Phone', 'Mozilla/5.0', '192.0.2.1', now(), now(), 'expired'
    from made, generate_series(1, 5)
  ), entries as (
    insert into audit (id, action, actor_kind, actor_id, target_kind, target_id, details, ip_address)
    select gen_random_uuid(), 'account.changed', 'Account', id, 'Account', id, '{}', '192.0.2.1'
    from made, generate_series(1, 5)
  ), mails as (
    insert into mail_delivery (id, kind, account_id, email, event, status, sent_at, next_try_at)
    select gen_random_uuid(), 'password-changed', id, id || '@gatehouse.example', '{}', 'Sent', now(), null
    from made, generate_series(1, 3)
  )
  select count(*) from made`;

/** Their erasures, due at once. They need a separate statement, because a trigger reads the account. */
const DUE = `
  insert into erasure (id, account_id, asked_by_kind, erases_at)
  select gen_random_uuid(), a.id, 'System', now()
  from account a
  where a.display_name = 'Bench' and a.email_verified_at is null
    and not exists (select 1 from erasure e where e.account_id = a.id)
  limit cast(:count as integer)`;
