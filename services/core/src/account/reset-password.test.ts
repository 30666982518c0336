import assert from 'node:assert/strict';
import { whileAuditFails, whileCommitsFail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { createMetrics } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { atOnce, cast, countOf, type Person } from '../testing/cast.ts';
import { someAddress } from '../testing/index.ts';

const NEW = 'an entirely new one';

describe('POST /account/forgot-password and /account/reset-password', () => {
  const { core, someone, member } = cast();

  const asks = (ann: Person) => ann.post('/account/forgot-password', { Email: ann.email }).expect(200, {});
  /** Until the requests for a new password that were acknowledged are done. */
  const areDone = ({ email }: Person) =>
    eventually(async () => {
      const sql = 'select id from reset_request where email_key = ?';
      return (await query(core().app.db, sql, [email])).length === 0;
    }, 15);

  it('ends every session, clears a required new password, and notifies the owner', async () => {
    const ann = await member();
    const session = await ann.session();
    await ann.set('new_password_required = true');
    await ann.resets(await ann.forgets(), NEW).expect(200, {});
    assert.equal(await session.pings(), 4);
    await session.refreshes().expect(401);
    await ann.logsIn().expect(404);
    await ann.logsIn(NEW).expect(200);
    assert.equal((await ann.mailTypes()).at(-1), 'account.password-changed');
  });

  it('is atomic with its audit entry, which has no email or code', async () => {
    const ann = await member();
    const session = await ann.session();
    const code = await ann.forgets();
    const recorded = async () => {
      const { entries, text } = await ann.audit();
      return { entries: entries.filter(({ action }) => action.startsWith('password.')), text };
    };
    for (const whileFaulty of [whileAuditFails, whileCommitsFail])
      await whileFaulty(core().app, () => ann.resets(code, NEW).expect(500));
    assert.deepEqual((await recorded()).entries, []);
    assert.equal(await session.pings(), 1);
    await ann.logsIn().expect(200);
    await ann.resets(code, NEW).expect(200);
    const { entries, text } = await recorded();
    assert.deepEqual(
      entries.map(({ action, actorId, actorKind, targetKind }) => [action, actorId, actorKind, targetKind]),
      [['password.reset', await ann.id(), 'Account', 'Account']],
    );
    for (const secret of [ann.email, code, NEW]) assert.ok(!text.includes(secret));
  });

  it('verifies the email, and invalidates the registration code', async () => {
    const ann = someone();
    await ann.registers();
    const [verification] = await ann.codes();
    await ann.resets(await ann.forgets(), NEW).expect(200);
    await ann.logsIn(NEW).expect(200);
    await ann.verifies(verification).expect(400);
  });

  it('responds to every invalid code with the same 400, and changes nothing', async () => {
    const [ann, bob] = [await member(), await member()];
    const [code, foreign] = [await ann.forgets(), await bob.forgets()];
    const first = await someone().resets('0000-0000', NEW).expect(400);
    for (const none of ['', 'AAAA', 'UUUU-UUUU', 'x'.repeat(5000), '\u0000', foreign]) {
      const { body, status } = await ann.resets(none, NEW);
      assert.deepEqual({ ...body, traceId: 0, status }, { ...first.body, traceId: 0, status: 400 });
    }
    await ann.logsIn().expect(200);
    await ann.resets(code, NEW).expect(200);
  });

  it('uses a code once with twenty concurrent requests', async () => {
    const ann = await member();
    const code = await ann.forgets();
    assert.equal(countOf(200, await atOnce(20, () => ann.resets(code, NEW))), 1);
  });

  it('keeps the code for a better password when the first choice is refused', async () => {
    const ann = await member();
    const code = await ann.forgets();
    assert.equal((await ann.resets(code, 'short').expect(400)).body.errors[0].pointer, '/Password');
    await ann.resets(code, NEW).expect(200);
  });

  it('accepts only the newest code', async () => {
    const ann = await member();
    const [older, newer] = [await ann.forgets(), await ann.forgets()];
    await ann.resets(older, NEW).expect(400);
    await ann.resets(newer, NEW).expect(200);
  });

  it('mails nothing to an account that could not log in after a reset', async () => {
    const ann = await member();
    for (const change of ['is_disabled = true', "is_disabled = false, signup = 'invitation'"]) {
      await ann.set(change);
      await asks(ann);
      await areDone(ann);
    }
    assert.deepEqual(await ann.mails(), []);
  });

  it('mails a code to an owner at a known address, although strangers have used up the mails', async () => {
    const ann = await member();
    const atHome = ann.from(someAddress());
    await atHome.logsIn().expect(200);
    const mailsAfter = async (who: Person) => {
      await asks(who);
      await areDone(ann);
      return (await ann.mails()).length;
    };
    for (let asked = 0; asked < 5; asked += 1) await mailsAfter(ann);
    assert.equal(await mailsAfter(ann), 5);
    assert.equal(await mailsAfter(atHome), 6);
    await ann.resets((await ann.codes()).at(-1), NEW).expect(200);
  });

  it('resets the count of failed logins', async () => {
    const ann = await member();
    for (let time = 0; time < 11; time += 1) await ann.logsIn('a wrong password');
    await ann.resets(await ann.forgets(), NEW).expect(200);
    await ann.logsIn(NEW).expect(200);
  });

  it('takes as long for an email without an account as for one with', async () => {
    const ann = await member();
    const timeOf = async (who: Person) => {
      const begun = performance.now();
      await asks(who);
      return performance.now() - begun;
    };
    const times = { known: [] as number[], unknown: [] as number[] };
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
    const ratio = () => median(times.known) / median(times.unknown);
    const isEven = () => ratio() > 0.8 && ratio() < 1.25;
    // In turns, and more of them on a busy machine: the medians of equal distributions converge.
    for (let round = 1; round <= 60 && !(round > 9 && isEven()); round += 1) {
      times.known.push(await timeOf(ann));
      times.unknown.push(await timeOf(someone()));
    }
    assert.ok(isEven(), `medians differ by ${ratio()}`);
  });
});

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
