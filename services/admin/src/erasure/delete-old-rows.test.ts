import assert from 'node:assert/strict';
import { atOnce, newAccount, openTestAccounts } from '@gatehouse/accounts/testing';
import { migrateCommand, query } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { ConfigError } from '@gatehouse/runtime';
import { deleteOldRows, type RetainedTable } from './retention.ts';

describe('deleteOldRows', () => {
  const admin = during(() => openTestAccounts({}, undefined, 'admin'));
  let accountId: string;
  before(async () => ({ id: accountId } = await newAccount(admin)));

  /** A row for each age in days; a session without an age is active. */
  const ADD: Record<RetainedTable, string> = {
    user_session: `insert into user_session (id, account_id, status, is_exclusive, refresh_current, refresh_next,
         created_at, expires_at, ended_at)
       select gen_random_uuid(), :accountId, case when days is null then 2 else 7 end, false, '', '',
         now() - interval '10 years', now(), now() - make_interval(days => days)
       from unnest(cast(:days as int[])) days`,
    session_event: `insert into session_event (session_id, account_id, status, changed_at, reason, token_expires_at)
       select gen_random_uuid(), :accountId, 7, now() - make_interval(days => days), 'logout',
         now() + make_interval(days => :tokenDays, secs => -1)
       from unnest(cast(:days as int[])) days`,
    sign_in: `insert into sign_in (id, at, account_id, method, result)
       select gen_random_uuid(), now() - make_interval(days => days), :accountId, 'Password', 'Succeeded'
       from unnest(cast(:days as int[])) days`,
    audit: `insert into audit (id, at, action, actor_kind, target_kind)
       select cast(rpad(lpad(to_hex(cast(extract(epoch from at) * 1000 as bigint)), 12, '0'), 16, '7')
         || substr(md5(random()::text), 1, 16) as uuid), at, 'account.changed', 'System', 'Account'
       from unnest(cast(:days as int[])) days, lateral (select now() - make_interval(days => days) as at) made`,
  };
  const add = (table: RetainedTable, days: readonly (number | null)[], tokenDays = 0) =>
    query(admin.db, ADD[table], { accountId, days, tokenDays });
  const countOf = (table: RetainedTable) =>
    query.onlyValue<number>(admin.db, `select count(*)::int from ${table}`, []);
  const deleteOld = async (table: RetainedTable, keepDays: number, batchesMax = 50): Promise<number[]> => {
    const batches: number[] = [];
    const deleted = (count: number) => void batches.push(count);
    await deleteOldRows(admin.service, table, { keepDays, batchesMax, deleted, isStopping: () => false });
    return batches;
  };
  beforeEach(async () => {
    const { db } = admin;
    await query(db, 'truncate user_session cascade');
    await query(db, 'delete from sign_in');
    for (const table of ['session_event', 'audit']) {
      await query(db, `alter table ${table} disable trigger ${table}_kept`);
      await query(db, `delete from ${table}`);
      await query(db, `alter table ${table} enable trigger ${table}_kept`);
    }
  });

  it('deletes sessions that ended before the bound, and none that is active or younger', async () => {
    await add('user_session', [401, 500, 399, 0, null]);
    assert.deepEqual(await deleteOld('user_session', 400), [2]);
    assert.equal(await countOf('user_session'), 3);
  });

  it('keeps a session whose end has not reached Redis', async () => {
    await add('user_session', [500]);
    await query(admin.db, 'insert into live_session_outbox (session_id) select id from user_session');
    assert.deepEqual(await deleteOld('user_session', 400), []);
    assert.equal(await countOf('user_session'), 1);
    await query(admin.db, 'delete from live_session_outbox');
    assert.deepEqual(await deleteOld('user_session', 400), [1]);
  });

  it('deletes the history before the bound, except for ends whose token may still be valid', async () => {
    await add('session_event', [500, 401, 399, 0]);
    assert.deepEqual(await deleteOld('session_event', 400), [2]);
    await add('session_event', [500], 1);
    assert.deepEqual(await deleteOld('session_event', 400), []);
    assert.equal(await countOf('session_event'), 3);
  });

  it('deletes the history from its first change on, so that no change outlives one that came after it', async () => {
    await add('session_event', Array<number>(1000).fill(1));
    await add('session_event', [500]);
    assert.deepEqual(await deleteOld('session_event', 400), []);
  });

  for (const [table, least, forget] of [
    ['user_session', 90, 'forget_sessions'],
    ['session_event', 7, 'forget_session_events'],
    ['sign_in', 1, 'forget_sign_ins'],
    ['audit', 90, 'forget_audit'],
  ] as const) {
    it(`works in batches of a thousand, and ends after so many: ${table}`, async () => {
      await add(table, Array<number>(2500).fill(500));
      assert.deepEqual(await deleteOld(table, 400, 2), [1000, 1000]);
      assert.deepEqual(await deleteOld(table, 400), [500]);
      assert.equal(await countOf(table), 0);
    });

    it(`keeps rows for at least ${least} days: ${table}`, async () => {
      await add(table, [least + 1, least - 1]);
      for (const keepDays of [least, 1, 0, -1000]) await deleteOld(table, keepDays);
      assert.equal(await countOf(table), 1);
    });

    it(`shares a table with another process that deletes at the same time: ${table}`, async () => {
      await add(table, Array<number>(3000).fill(500));
      await atOnce(2, () => deleteOld(table, 400));
      assert.equal(await countOf(table), 0);
    });

    it(`reads few pages of a large table in which nothing is old: ${table}`, async () => {
      await add(table, Array<number>(30_000).fill(1));
      await query(admin.db, `vacuum analyze ${table}`);

      // The first call on a connection also reads what it needs for planning.
      const plans = await admin.db.transaction(async (tx) => {
        const explain = () =>
          query<Record<string, string>>(tx, `explain (analyze, buffers) select ${forget}(400, 1000)`);
        return [await explain(), await explain()];
      });
      const text = plans[1]?.map((row) => row['QUERY PLAN']).join('\n') ?? '';
      const pages = /Buffers: shared hit=(\d+)/.exec(text)?.[1];
      const statement = `select (pg_relation_size('${table}') / 8192)::int`;
      const size = await query.onlyValue<number>(admin.db, statement, []);
      assert.ok(size > 250, String(size));
      assert.ok(Number(pages) < 120, text);
    });
  }

  it('keeps the audit for as long as the owner of the tables has set', async () => {
    const migrate = (AUDIT_KEEP_DAYS: string) => {
      const say = { out: () => undefined, err: () => undefined };
      return migrateCommand(say, { DATABASE_URL: admin.settings.DATABASE_URL, AUDIT_KEEP_DAYS });
    };
    const leftOf = async (bound: string): Promise<number> => {
      assert.equal(await migrate(bound), 0);
      await deleteOld('audit', 90);
      return countOf('audit');
    };
    await add('audit', [401, 399, 100]);
    try {
      assert.equal(await leftOf('0'), 3);
      assert.equal(await leftOf('400'), 2);
      assert.equal(await leftOf(''), 2, 'without it nothing changes');
      await assert.rejects(migrate('89'), ConfigError);
      const lower = 'update audit_bound set keep_days = 90';
      await assert.rejects(query(admin.service.db, lower), { code: '42501' });
    } finally {
      assert.equal(await leftOf('90'), 0);
    }
  });

  it('is the only way to delete rows: neither the owner nor an announced deletion alone can', async () => {
    await add('session_event', [500]);
    await add('audit', [500]);
    for (const [table, column] of [
      ['session_event', 'reason'],
      ['audit', 'at'],
    ]) {
      await assert.rejects(query(admin.db, `delete from ${table}`), /append-only/);
      const announced = `select set_config('gatehouse.announced', 'DELETE ${table}', true)`;
      for (const [db, statement, refusal] of [
        [admin.service.db, `delete from ${table}`, /permission denied/],
        [admin.db, `truncate ${table}`, /append-only/],
        [admin.db, `update ${table} set ${column} = ${column} where false`, /append-only/],
      ] as const) {
        const attempt = db.transaction(async (tx) => {
          await query(tx, announced);
          await query(tx, statement);
        });
        await assert.rejects(attempt, refusal);
      }
    }
  });

  it('leaves no privilege in its transaction after the deletion', async () => {
    await add('session_event', [500, 1]);
    await assert.rejects(
      admin.db.transaction(async (tx) => {
        await query(tx, 'select forget_session_events(400, 1000)');
        await query(tx, 'delete from session_event');
      }),
      /append-only/,
    );
  });
});
