import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { createMetrics } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { atOnce, cast, type Person } from '../testing/cast.ts';

describe('POST /account/resend-verification', () => {
  const { core, someone, member } = cast();

  const asksAgain = (ann: Person, Email = ann.email) =>
    ann.post('/account/resend-verification', { Email }).expect(200, {});
  const forgets = (ann: Person) => ann.post('/account/forgot-password', { Email: ann.email });
  /** Until all requests that were acknowledged are done. */
  const areDone = () =>
    eventually(async () => (await query(core().app.db, 'select id from reset_request')).length === 0, 15);
  const registered = async (sets?: string) => {
    const ann = someone();
    await ann.registers().expect(200);
    if (sets !== undefined) await ann.set(sets);
    return ann;
  };

  for (const which of ['the older', 'the newer'] as const) {
    it(`mails another code, and accepts ${which}`, async () => {
      const ann = await registered();
      await asksAgain(ann, ann.email.toUpperCase());
      const [older, newer] = await eventually(async () => {
        const codes = await ann.codes();
        return codes.length === 2 && codes;
      });
      assert.notEqual(older, newer);
      await ann.verifies(which === 'the older' ? older : newer).expect(200);
      await ann.logsIn().expect(200);
      await ann.verifies(which === 'the older' ? newer : older).expect(400);
    });
  }

  it('has the same response for an unknown email, and mails nothing', async () => {
    for (const ann of [
      await member(),
      await registered('is_disabled = true'),
      await registered("role = 'Admin'"),
      await registered("signup = 'new', password_hash = null, password_scheme = null"),
      someone(),
    ]) {
      const { length } = await ann.mails();
      await asksAgain(ann);
      await areDone();
      assert.equal((await ann.mails()).length, length, ann.email);
    }
  });

  it('is acknowledged while others lock the account, and merges requests for one email into one mail of each kind', async () => {
    const ann = await registered();
    const id = await ann.id();
    await core().app.db.transaction(async (tx) => {
      await query(tx, 'select id from account where id = ? for update', [id]);
      await atOnce(3, () => asksAgain(ann));
      await forgets(ann).expect(200);
      assert.equal((await ann.codes()).length, 1);
    });
    await areDone();
    assert.deepEqual((await ann.mailTypes()).slice(1).toSorted(), [
      'account.password-reset-requested',
      'account.verification-requested',
    ]);
  });
});

describe('requests for new passwords', () => {
  const metrics = createMetrics('test');
  const { core, member } = cast({}, { metrics });

  const shown = async (name: string): Promise<number | undefined> => {
    await core().mailRequests.countWaiting();
    return (await metrics.getSingleMetric(`gatehouse_reset_requests_${name}`)?.get())?.values[0]?.value;
  };

  it('report in the metrics how many wait and for how long, and are answered by any process', async () => {
    const ann = await member();
    const id = await ann.id();
    assert.deepEqual([await shown('waiting'), await shown('oldest_seconds')], [0, 0]);
    await core().app.db.transaction(async (tx) => {
      await query(tx, 'select id from account where id = ? for update', [id]);
      for (const minutes of [60, 5]) {
        await query(
          core().app.db,
          `insert into reset_request (id, email_key, purpose, trace_id, created_at)
           values (?, ?, 'reset', '0', now() - make_interval(mins => ?))`,
          [newId({ msecs: Date.now() - minutes * 60_000 }), ann.email, minutes],
        );
      }
      assert.equal(await shown('waiting'), 2);
      const age = (await shown('oldest_seconds')) ?? 0;
      assert.ok(age >= 3600 && age < 3700, String(age));
    });
    await eventually(async () => (await shown('waiting')) === 0, 15);
    assert.equal(await shown('oldest_seconds'), 0);
    assert.equal((await ann.codes()).length, 1);
  });
});
