import assert from 'node:assert/strict';
import { whileTriggered } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { type Metrics, createMetrics } from '@gatehouse/runtime';
import { cast } from '../testing/cast.ts';
import { eraseDueAccounts, startErasing } from './erase-due.ts';

describe('accounts that fail to be erased', () => {
  const { app, boss, history, member, sql } = cast({});

  /** Creates an account whose erasure has been due for this many hours. */
  const newDue = async (hours: number): Promise<string> => {
    const { id } = await member();
    await boss.delete(`/admin/account/${id}`, {}).expect(202);
    const due = 'update erasure set erases_at = now() - make_interval(hours => ?) where account_id = ?';
    await sql(due, [hours, id]);
    return id;
  };
  const breakErasureOf = (id: string) =>
    sql(`create function refuse_this_one() returns trigger language plpgsql as
       'begin raise exception ''not this one''; end';
       create trigger account_broken before delete on account for each row when (old.id = '${id}')
       execute function refuse_this_one()`);
  const isThere = async (id: string): Promise<boolean> =>
    (await sql('select id from account where id = ?', [id])).length === 1;

  it('with too many rows for one statement are erased, as are others', async () => {
    const heavy = await newDue(2);
    const others = [await newDue(1), await newDue(1)];
    const statement = `insert into audit (id, action, actor_kind, actor_id, target_kind, target_id, details, ip_address)
       select gen_random_uuid(), 'account.changed', 'Account', ?, 'Account', ?, '{}', '192.0.2.1'
       from generate_series(1, 300)`;
    await sql(statement, [heavy, heavy]);
    // Simulates a million rows on a busy disk.
    await whileTriggered(
      app(),
      ['trigger slow before update on audit'],
      'perform pg_sleep(0.01);',
      async () => {
        assert.equal(await eraseDueAccounts(app().service), 3);
      },
    );
    for (const id of [heavy, ...others]) assert.equal(await isThere(id), false);
    const left = await sql('select id from audit where target_id = ? and ip_address is not null', [heavy]);
    assert.deepEqual(left, []);
  });

  it('with too many rows for one transaction are erased in parts, and cannot be restored meanwhile', async () => {
    const heavy = await newDue(1);
    const insertAudit = `insert into audit (id, action, actor_kind, actor_id, target_kind, target_id, details,
      ip_address)
       select gen_random_uuid(), 'account.changed', 'Account', ?, 'Account', ?, '{"Reason": "a word"}', '192.0.2.1'
       from generate_series(1, 4500)`;
    await sql(insertAudit, [heavy, heavy]);
    const insertMailDelivery = `insert into mail_delivery (id, kind, account_id, email, event)
       select gen_random_uuid(), 'password-changed', ?, 'heavy@example.com', '{}' from generate_series(1, 2500)`;
    await sql(insertMailDelivery, [heavy]);
    // Simulates the time limit on any machine.
    const selectMany = `create function refuse_many() returns trigger language plpgsql as
       'begin if (select count(*) from many) > 2000 then raise exception ''too many''; end if; return null; end'`;
    await sql(selectMany);
    await sql(`create trigger audit_few after update on audit referencing new table as many
      for each statement execute function refuse_many()`);
    await sql(`create trigger mail_few after delete on mail_delivery referencing old table as many
      for each statement execute function refuse_many()`);
    try {
      // Simulates a process that died after its first part.
      const part = 'select cast(forget_part(?, 2000) as integer) as count';
      assert.deepEqual(await query(app().service.db, part, [heavy]), [{ count: 2000 }]);
      await boss.post(`/admin/account/${heavy}/restore`).expect(409);
      assert.equal(await eraseDueAccounts(app().service), 1);
    } finally {
      await sql('drop function refuse_many() cascade');
    }
    assert.equal(await isThere(heavy), false);
    const [{ State, Counts }] = (await boss.read(`/admin/erasure?userId=${heavy}`)).Items;
    assert.deepEqual([State, Counts.mail_delivery], ['Erased', 2500]);
    assert.deepEqual(await history({ action: 'account.erased', targetId: heavy }, 'details'), [{ Counts }]);
    const selectAudit = `select id from audit where target_id = ?
      and (ip_address is not null or jsonb_exists(details, 'Reason'))`;
    assert.deepEqual(await sql(selectAudit, [heavy]), []);
  });

  it('do not block the erasure of others, or late mails', async () => {
    const gone = await newDue(1);
    await eraseDueAccounts(app().service);
    const statement = `insert into mail_delivery (id, kind, account_id, email, event)
       values (gen_random_uuid(), 'password-changed', ?, 'late@example.com', '{}')`;
    await sql(statement, [gone]);
    const broken = await newDue(2);
    const others = [await newDue(1), await newDue(1)];
    await breakErasureOf(broken);
    assert.equal(await eraseDueAccounts(app().service), 2);
    assert.equal(await eraseDueAccounts(app().service), 0);
    for (const id of others) assert.equal(await isThere(id), false);
    assert.equal(await isThere(broken), true);
    assert.deepEqual(await sql('select id from mail_delivery where account_id = ?', [gone]), []);
    await sql('drop function refuse_this_one() cascade');
    assert.equal(await eraseDueAccounts(app().service), 1);
  });

  const start = (accounts: Parameters<typeof startErasing>[0]) => {
    const metrics = createMetrics('test');
    let turn: () => Promise<unknown> = () => Promise.resolve();
    const lifecycle = { every: (_: number, __: string, work: () => Promise<unknown>) => void (turn = work) };
    startErasing(accounts, { lifecycle, metrics });
    return { metrics, turn: () => turn() };
  };
  const valueOf = async (metrics: Metrics, name: string): Promise<number | undefined> => {
    const line = (await metrics.metrics()).split('\n').find((text) => text.startsWith(name));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  const erased = 'gatehouse_erasures_total{result="erased"';
  const failed = 'gatehouse_erasures_total{result="failed"';
  const overdue = 'gatehouse_erasures_overdue_seconds';

  it('are counted like erased ones, from 0, and show for how long one is overdue', async () => {
    const { metrics, turn } = start(app().service);
    assert.deepEqual([await valueOf(metrics, erased), await valueOf(metrics, failed)], [0, 0]);
    const broken = await newDue(2);
    await newDue(2);
    await breakErasureOf(broken);
    await turn();
    assert.deepEqual([await valueOf(metrics, erased), await valueOf(metrics, failed)], [1, 1]);
    const late = await valueOf(start(app().service).metrics, overdue);
    assert.ok(late !== undefined && late >= 7200 && late < 7500, String(late));
    await sql('drop function refuse_this_one() cascade');
    await turn();
    assert.deepEqual([await valueOf(metrics, erased), await valueOf(metrics, failed)], [2, 1]);
    assert.equal(await valueOf(start(app().service).metrics, overdue), 0);
  });
});
