import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { createMetrics } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { areDone, atOnce, cast, countOf, problem, type Person } from '../testing/cast.ts';
import { NO_PASSWORD, someAddress } from '../testing/index.ts';

const NEW = 'an entirely new one';

describe('POST /account/forgot-password and /account/reset-password', () => {
  const { core, member, memberWithSession } = cast();

  const asks = (ann: Person) => ann.post('/account/forgot-password', { Email: ann.email }).expect(200, {});

  it('ends every session, clears a required new password, notifies the owner, and changes no name', async () => {
    const [ann, session] = await memberWithSession();
    await ann.set('new_password_required = true');
    await ann.resets(await ann.forgets(), NEW, { DisplayName: 'Eve' }).expect(200, {});
    assert.deepEqual(await ann.row('display_name'), { display_name: null });
    assert.equal(await session.pings(), 4);
    await session.refreshes().expect(401);
    await ann.logsIn().expect(404);
    await ann.logsIn(NEW).expect(200);
    assert.equal((await ann.mailTypes()).at(-1), 'account.password-changed');
  });

  it('uses a code once of twenty times at once, and not for a password that is refused', async () => {
    const ann = await member();
    const code = await ann.forgets();
    await ann.resets(code, 'short').expect(problem('invalid_request', '/Password'));
    assert.equal(countOf(200, await atOnce(20, () => ann.resets(code, NEW))), 1);
  });

  it('mails nothing to an account that could not log in after a reset', async () => {
    const ann = await member();
    for (const change of ['is_disabled = true', "is_disabled = false, signup = 'invitation'"]) {
      await ann.set(change);
      await asks(ann);
      await areDone(core());
      assert.deepEqual(await ann.mails(), []);
    }
  });

  it('mails a code to an owner at a known address, although strangers have used up the mails', async () => {
    const ann = await member();
    const atHome = ann.from(someAddress());
    await atHome.logsIn().expect(200);
    const mailsAfter = async (who: Person) => {
      await asks(who);
      await areDone(core());
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
});

describe('POST /account/resend-verification', () => {
  const { core, someone, member } = cast();

  const asksAgain = (ann: Person, Email = ann.email) =>
    ann.post('/account/resend-verification', { Email }).expect(200, {});
  const forgets = (ann: Person) => ann.post('/account/forgot-password', { Email: ann.email });

  const registered = async (sets?: string) => {
    const ann = someone();
    await ann.registers().expect(200);
    if (sets !== undefined) await ann.set(sets);
    return ann;
  };

  it('mails another code, and the older one works as well', async () => {
    for (const which of [0, 1]) {
      const ann = await registered();
      await asksAgain(ann, ann.email.toUpperCase());
      await areDone(core());
      const codes = await ann.codes();
      assert.equal(new Set(codes).size, 2);
      await ann.verifies(codes[which]).expect(200);
      await ann.logsIn().expect(200);
    }
  });

  it('has the same response for an unknown email, and mails nothing', async () => {
    for (const ann of [
      await member(),
      await registered('is_disabled = true'),
      await registered("role = 'Admin'"),
      await registered(`signup = 'new', ${NO_PASSWORD}`),
      someone(),
    ]) {
      const { length } = await ann.mails();
      await asksAgain(ann);
      await areDone(core());
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
    await areDone(core());
    const types = (await ann.mailTypes()).slice(1).toSorted();
    assert.deepEqual(types, ['account.password-reset-requested', 'account.verification-requested']);
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
      for (const minutes of [60, 5])
        await core().sql(
          `insert into reset_request (id, email_key, purpose, trace_id, created_at)
           values (?, ?, 'reset', '0', now() - make_interval(mins => ?))`,
          [newId({ msecs: Date.now() - minutes * 60_000 }), ann.email, minutes],
        );
      assert.equal(await shown('waiting'), 2);
      const age = (await shown('oldest_seconds')) ?? 0;
      assert.ok(age >= 3600 && age < 3700, String(age));
    });
    await eventually(async () => (await shown('waiting')) === 0, 15);
    assert.equal(await shown('oldest_seconds'), 0);
    assert.equal((await ann.codes()).length, 1);
  });
});

describe('wrong attempts for a code', () => {
  const { core, someone, member } = cast();

  const newest = async (ann: Person) => (await ann.codes()).at(-1) ?? assert.fail('no code was mailed');
  /** Somebody with a mailed code, and the request that uses one. */
  const registered = async () => {
    const ann = someone();
    await ann.registers().expect(200);
    const uses = (who: Person, given: unknown) => who.verifies(given);
    return { ann, code: await newest(ann), purpose: 'verify', uses };
  };
  type Mailed = Awaited<ReturnType<typeof registered>>;
  const forgotten = async (): Promise<Mailed> => {
    const ann = await member();
    return { ann, code: await ann.forgets(), purpose: 'reset', uses: (who, given) => who.resets(given, NEW) };
  };
  const counted = async (ann: Person) => {
    const sql = 'select tries_left as left, tries from account_code where account_id = ?';
    return (await core().sql<{ left: number; tries: object }>(sql, [await ann.id()]))[0];
  };
  const guessesFive = async ({ uses }: Mailed, who: Person) => {
    for (let time = 0; time < 5; time += 1) await uses(who, `0000-000${time}`).expect(400);
  };

  for (const [what, arrange] of [
    ['verifies an email', registered],
    ['resets a password', forgotten],
  ] as const) {
    it(`are limited to five per address (IPv6 by /64), without effect on the owner: one that ${what}`, async () => {
      const mailed = await arrange();
      const { ann, code, uses } = mailed;
      const address = someAddress();
      await guessesFive(mailed, ann.from(address));
      for (const near of [address, address.replace(/::1$/, '::2')])
        await uses(ann.from(near), code).expect(problem('invalid_code'));
      await uses(ann, code).expect(200);
    });

    it(`have the same answer as for an unknown email, and do not count if malformed: one that ${what}`, async () => {
      const { ann, code, uses } = await arrange();
      const atHome = ann.from(someAddress());
      const answerTo = async (who: Person, given: unknown) => {
        const { body } = await uses(who, given).expect(400);
        return { ...body, traceId: undefined };
      };
      const refused = await answerTo(someone(), '0000-0000');
      assert.equal(refused.code, 'invalid_code');
      for (const none of [undefined, [code]]) await uses(atHome, none).expect(problem('invalid_request'));
      const odd = ['', 'AAAA', 'UUUU-UUUU', '0000_0000', `${code}0`, 'x'.repeat(5000), '\u0000', '\ud800'];
      for (const bad of odd) assert.deepEqual(await answerTo(atHome, bad), refused, bad);
      assert.deepEqual((await counted(ann))?.tries, {});
      assert.deepEqual(await answerTo(atHome, '0000-0000'), refused);
      await uses(atHome, code).expect(200);
    });

    it(`are counted before the comparison, also concurrently: one that ${what}`, async () => {
      const { ann, uses } = await arrange();
      const atHome = ann.from(someAddress());
      await atOnce(12, (at) => uses(atHome, `0000-00${at + 10}`).expect(400));
      const after = await counted(ann);
      // For the address and its network.
      assert.deepEqual([after?.left, Object.values(after?.tries ?? {})], [495, [5, 5]]);
    });

    it(`are counted for questions whether a code works, unless it does: one that ${what}`, async () => {
      const { ann, code, purpose, uses } = await arrange();
      const atHome = ann.from(someAddress());
      const asks = async (Code: string) => {
        const asked = atHome.post('/account/code', { Email: ann.email, Code, Purpose: purpose });
        return (await asked.expect(200)).body.IsValid as boolean;
      };
      assert.deepEqual(await atOnce(4, () => asks(code)), [true, true, true, true]);
      for (let time = 0; time < 20; time += 1) assert.equal(await asks(code), true);
      assert.equal((await counted(ann))?.left, 500);
      for (let time = 0; time < 4; time += 1) assert.equal(await asks(`0000-000${time}`), false);
      assert.equal((await counted(ann))?.left, 496);
      assert.equal(await asks(code), true);
      assert.equal(await asks('0000-0009'), false);
      // The five tries of this address are over, also for the right code. The owner's are not.
      assert.equal(await asks(code), false);
      await uses(atHome, code).expect(400);
      await uses(ann, code).expect(200);
      assert.equal(await asks(code), false);
    });

    it(`are limited to five hundred in total, which invalidates it: one that ${what}`, async () => {
      const { ann, code, uses } = await arrange();
      await core().sql('update account_code set tries_left = 1 where account_id = ?', [await ann.id()]);
      await uses(ann, '0000-0000').expect(400);
      await uses(ann, code).expect(400);
    });
  }

  it('count against each code of the account that the input could match', async () => {
    const mailed = await registered();
    const { ann, code } = mailed;
    await ann.registers().expect(200);
    const stranger = ann.from(someAddress());
    await guessesFive(mailed, stranger);
    for (const one of [code, await newest(ann)]) await stranger.verifies(one).expect(400);
    await ann.registers().expect(200);
    await stranger.verifies(await newest(ann)).expect(200);
  });
});
