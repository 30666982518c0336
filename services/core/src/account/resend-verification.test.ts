import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, type Person } from '../testing/cast.ts';
import { someAddress } from '../testing/index.ts';

describe('POST /account/resend-verification', () => {
  const { core, another, someone, member } = cast();

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
  /** While a transaction locks their account. */
  const whileLocked = async (ann: Person, work: () => Promise<unknown>) => {
    const id = await ann.id();
    await core().app.db.transaction(async (tx) => {
      await query(tx, 'select id from account where id = ? for update', [id]);
      await work();
    });
    await areDone();
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

  it('mails at most five codes an hour, including those of registrations', async () => {
    const ann = await registered();
    for (let time = 1; time <= 6; time += 1) {
      await asksAgain(ann);
      await areDone();
    }
    assert.equal((await ann.codes()).length, 5);
  });

  it('merges waiting requests for one email into one mail of each kind', async () => {
    const ann = await registered();
    await whileLocked(ann, async () => {
      await atOnce(3, () => asksAgain(ann));
      await forgets(ann).expect(200);
    });
    assert.deepEqual((await ann.mailTypes()).slice(1).toSorted(), [
      'account.password-reset-requested',
      'account.verification-requested',
    ]);
  });

  it('responds as fast as usual while the account is locked by others', async () => {
    const ann = await registered();
    await whileLocked(ann, async () => {
      const begun = performance.now();
      await atOnce(12, () => asksAgain(ann));
      const known = performance.now() - begun;
      assert.ok(known < 2000, `${known} ms`);
      assert.equal((await ann.codes()).length, 1);
    });
  });

  it('shares a limit per address with registrations and password resets', async () => {
    const strict = await another({ MAILS_PER_ADDRESS: 2 });
    await eventually(() => strict.app.sessionCache.isConnected());
    const home = someAddress();
    const anyone = () => someone().at(strict).from(home);
    await forgets(anyone()).expect(200);
    await asksAgain(anyone());
    const { email: Email, post } = anyone();
    const { headers } = await post('/account/resend-verification', { Email }).expect(429);
    assert.ok(Number(headers['retry-after']) > 3000);
  });
});
