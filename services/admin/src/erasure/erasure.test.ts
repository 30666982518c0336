import assert from 'node:assert/strict';
import { atOnce, statusesOf, untilWaiting, whileTriggered } from '@gatehouse/accounts/testing';
import { inTransaction, query, type Transaction } from '@gatehouse/db';
import { createMetrics, NO_DEADLINE, type Metrics } from '@gatehouse/runtime';
import { cast } from '../testing/cast.ts';
import { eraseDueAccounts, startErasing } from './erase-due.ts';

const NOW = { After: '2020-01-01T00:00:00Z' };

describe('the erasure of accounts by administrators', () => {
  const { app, boss, history, login, member, newContent, sql } = cast({});

  const erase = (id: string, body: object = {}) => boss.delete(`/admin/account/${id}`, body);
  const erasureOf = async (id: string) => (await boss.read(`/admin/erasure?userId=${id}`)).Items[0];

  it('disables the account, ends its sessions, and can be cancelled', async () => {
    const person = await member();
    const { sessionId } = await login(person);
    await erase(person.id, { Reason: 'by letter' }).expect(202);
    assert.equal((await boss.read(`/admin/user-session/${sessionId}`)).Status, 4);
    const closed = await boss.read(`/admin/account/${person.id}`);
    assert.ok(closed.IsDisabled === true && closed.ErasesAt);
    const patch = (body: object) => boss.patch(`/admin/account/${person.id}`, body);
    await patch({ IsDisabled: false }).expect(409);
    await erase(person.id).expect(409);
    const restored = await boss.post(`/admin/account/${person.id}/restore`).expect(200);
    assert.deepEqual([restored.body.IsDisabled, restored.body.ErasesAt], [false, null]);
    await boss.post(`/admin/account/${person.id}/restore`).expect(409);
    assert.equal((await erasureOf(person.id)).State, 'Restored');
    await eraseDueAccounts(app().service);
    await boss.get(`/admin/account/${person.id}`).expect(200);
  });

  it('removes the account when due, and not before, for any caller of the function', async () => {
    const { id } = await member();
    const forget = () => query.value(app().service.db, 'select forget_account(?)', [id]);
    assert.equal(await forget(), undefined);
    await erase(id).expect(202);
    assert.equal(await forget(), undefined);
    await eraseDueAccounts(app().service);
    await boss.get(`/admin/account/${id}`).expect(200);
    await sql('update erasure set erases_at = now() where account_id = ?', [id]);
    await eraseDueAccounts(app().service);
    await boss.get(`/admin/account/${id}`).expect(404);
    await boss.post(`/admin/account/${id}/restore`).expect(404);
    const { State, Counts } = await erasureOf(id);
    assert.deepEqual([State, Counts.account], ['Erased', 1]);
  });

  it('refuses the last administrator, owners of content and invalid new owners', async () => {
    const owner = await member();
    const content = await newContent(owner);
    await erase(owner.id).expect(409);
    for (const heir of [owner.id, '019c0000-0000-7000-8000-000000000001'])
      await erase(owner.id, { TransferContentTo: heir }).expect(400);
    const heir = await member();
    await erase(owner.id, { TransferContentTo: heir.id }).expect(202);
    assert.equal((await boss.read(`/admin/content-definition/${content}`)).OwnerId, heir.id);
    assert.equal((await sql(`select id from account where role = 'Admin'`)).length, 1);
    assert.match((await erase(boss.id).expect(409)).body.detail, /administrator/);
  });

  it('runs once with concurrent callers, with one event for each account', async () => {
    const people = await atOnce(12, () => member());
    for (const { id } of people) await erase(id, NOW).expect(202);
    await atOnce(4, () => eraseDueAccounts(app().service));
    await eraseDueAccounts(app().service);
    for (const { id, mailTypes } of people) {
      assert.equal((await history({ action: 'account.erased', targetId: id }, 'id')).length, 1);
      assert.deepEqual(await mailTypes(), ['account.erased']);
    }
  });

  it('ends reactivated sessions before it erases', async () => {
    const person = await member();
    const { sessionId } = await login(person);
    await erase(person.id, NOW).expect(202);
    const statement = `update user_session set status = 1, ended_at = null, end_reason = null where id = ?`;
    await sql(statement, [sessionId]);
    await eraseDueAccounts(app().service);
    await eraseDueAccounts(app().service);
    assert.equal((await erasureOf(person.id)).State, 'Erased');
  });

  it('allows one export of an account at a time', async () => {
    const [{ id }, other] = [await member(), await member()];
    const ask = async (of: string) => boss.get(`/admin/account/${of}/export`);
    const { asked } = await inTransaction(app().db, NO_DEADLINE, async (tx) => {
      await query(tx, 'lock table invitation in access exclusive mode');
      const both = [ask(id), ask(id)];
      assert.equal((await Promise.race(both)).status, 429);
      return { asked: Promise.all([...both, ask(other.id)]) };
    });
    assert.deepEqual(statusesOf(await asked), [200, 200, 429]);
  });
});

const DAY_MS = 24 * 3600 * 1000;

describe('an erasure requested by the owner', () => {
  const { boss, history, member, sql } = cast();

  const erase = (id: string, body: object = {}) => boss.delete(`/admin/account/${id}`, body);
  const patch = (id: string, body: object) => boss.patch(`/admin/account/${id}`, body);
  /** An erasure confirmed by the owner, with a link that cancels it. */
  const requestErasure = async () => {
    const person = await member();
    const statement = `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at, restore_hash)
       values (gen_random_uuid(), ?, 'Account', ?, now() + interval '14 days', cast(? as text)::bytea)`;
    await sql(statement, [person.id, person.id, person.id]);
    return person;
  };
  const followLink = async (id: string): Promise<unknown> => {
    const statement = 'select take_back_own_erasure(cast(? as text)::bytea) as taken';
    return (await sql<{ taken: unknown }>(statement, [id]))[0]?.taken;
  };

  for (const [how, disable] of [
    ['alone', async (id: string) => void (await patch(id, { IsDisabled: true }).expect(200))],
    [
      'among many',
      async (id: string) => {
        const body = { Filter: { Search: id }, Change: { IsDisabled: true } };
        await boss.post('/admin/account/bulk', body).expect(200);
      },
    ],
  ] as const)
    it(`does not prevent an administrator from disabling the account, ${how}`, async () => {
      const { id } = await requestErasure();
      await disable(id);
      await disable(id);
      assert.equal(await followLink(id), null);
      await patch(id, { IsDisabled: false }).expect(409);
      const changes = await history({ targetId: id, action: 'account.changed' }, 'details');
      assert.deepEqual(changes, [{ IsDisabled: true }]);
      assert.equal((await boss.post(`/admin/account/${id}/restore`).expect(200)).body.IsDisabled, true);
      await patch(id, { IsDisabled: false }).expect(200);
    });

  it('can be taken over by an administrator, once, and is then not cancelled by the link', async () => {
    const { id } = await requestErasure();
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const { body } = await erase(id, { After: inDays(3), Reason: 'by letter' }).expect(202);
    assert.ok(Math.abs(Date.parse(body.ErasedAt) - Date.now() - 3 * DAY_MS) < 60_000, body.ErasedAt);
    assert.equal(await followLink(id), null);
    await erase(id, { After: inDays(1) }).expect(409);
    assert.equal((await boss.read(`/admin/erasure?userId=${id}`)).Items.length, 1);
    assert.equal((await boss.post(`/admin/account/${id}/restore`).expect(200)).body.IsDisabled, false);
  });
});

describe('an account that is enabled while its owner confirms its erasure', () => {
  const { app, boss, member } = cast();

  const insertErasure = `insert into erasure (id, account_id, asked_by_kind, asked_by, erases_at)
       values (gen_random_uuid(), ?, 'Account', ?, now() + interval '14 days')`;
  const confirm = (tx: Transaction, id: string) => query(tx, insertErasure, [id, id]);
  const standingOf = async (id: string) => {
    const body = await boss.read(`/admin/account/${id}`);
    return { isDisabled: body.IsDisabled, isPending: body.ErasesAt !== null };
  };
  const CLOSED = { isDisabled: true, isPending: true };
  const WAYS = {
    alone: (id: string) =>
      boss.patch(`/admin/account/${id}`, { IsDisabled: false }).then(({ status }) => status),
    'among many': (id: string) =>
      boss
        .post('/admin/account/bulk', { Filter: { Search: id }, Change: { IsDisabled: false } })
        .then(({ status, body }) => [status, body.Skipped]),
  };

  for (const [how, refused] of [
    ['alone', 409],
    ['among many', [200, 1]],
  ] as const)
    it(`stays closed if the owner was first, ${how}`, async () => {
      const { id } = await member();
      const { enabling } = await inTransaction(app().db, NO_DEADLINE, async (tx) => {
        await confirm(tx, id);
        const asked = WAYS[how](id);
        await untilWaiting(app().db);
        return { enabling: asked };
      });
      assert.deepEqual(await enabling, refused);
      assert.deepEqual(await standingOf(id), CLOSED);
    });

  it('is closed if the administrator was first', async () => {
    const { id } = await member();
    const { confirming } = await inTransaction(app().db, NO_DEADLINE, async (tx) => {
      await query(tx, 'update account set is_disabled = false where id = ?', [id]);
      const asked = inTransaction(app().db, NO_DEADLINE, (other) => confirm(other, id));
      await untilWaiting(app().db);
      return { confirming: asked };
    });
    await confirming;
    assert.deepEqual(await standingOf(id), CLOSED);
  });

  it('cannot be enabled, despite earlier checks of a service', async () => {
    const { id } = await member();
    await inTransaction(app().db, NO_DEADLINE, (tx) => confirm(tx, id));
    const enable = () => query(app().service.db, 'update account set is_disabled = false where id = ?', [id]);
    await assert.rejects(enable, { code: '42501' });
    assert.deepEqual(await standingOf(id), CLOSED);
  });
});

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
