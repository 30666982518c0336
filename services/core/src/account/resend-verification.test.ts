import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, someAddress, startCore, type TestCore } from '../testing/index.ts';

let emails = 0;
const someEmail = () => `resend${++emails}.${Date.now()}@example.com`;

describe('POST /account/resend-verification', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  const resend = (email: string) => core.post('/account/resend-verification', { Email: email });
  const verify = (email: string, code: string) => core.post('/account/verify', { Email: email, Code: code });
  const waiting = () => query(core.app.db, 'select id from reset_request');
  const done = () => eventually(async () => (await waiting()).length === 0, 15);
  const codesTo = async (email: string): Promise<string[]> =>
    (await core.app.mailsTo(email)).flatMap(({ content }) => ('Code' in content ? [content.Code] : []));
  const registered = async (): Promise<string> => {
    const email = someEmail();
    await core.post('/account/register', { Email: email, Password: PASSWORD }).expect(200);
    return email;
  };

  for (const which of ['the older', 'the newer'] as const) {
    it(`mails another code, and accepts ${which}`, async () => {
      const email = await registered();
      await resend(email.toUpperCase()).expect(200, {});
      await eventually(async () => (await codesTo(email)).length === 2);
      const [older = '', newer = ''] = await codesTo(email);
      assert.notEqual(older, newer);
      await verify(email, which === 'the older' ? older : newer).expect(200);
      await core.login(email);
      await verify(email, which === 'the older' ? newer : older).expect(400);
    });
  }

  it('has the same response for an unknown email, and mails nothing', async () => {
    const verified = await core.newAccount();
    const disabled = await registered();
    const ofAdministrator = await registered();
    const waitsForSignup = await registered();
    const change = (email: string, set: string) =>
      query(core.app.db, `update account set ${set} where email = ?`, [email]);
    await change(disabled, 'is_disabled = true');
    await change(ofAdministrator, "role = 'Admin'");
    await change(waitsForSignup, "signup = 'new', password_hash = null, password_scheme = null");
    for (const email of [verified, disabled, ofAdministrator, waitsForSignup, someEmail()]) {
      const before = (await core.app.mailsTo(email)).length;
      await resend(email).expect(200, {});
      await done();
      assert.equal((await core.app.mailsTo(email)).length, before, email);
    }
  });

  it('mails at most five codes an hour, including those of registrations', async () => {
    const email = await registered();
    for (let time = 1; time <= 6; time += 1) {
      await resend(email).expect(200, {});
      await done();
    }
    assert.equal((await codesTo(email)).length, 5);
  });

  it('merges waiting requests for one email into one mail of each kind', async () => {
    const email = await registered();
    await core.app.db.transaction(async (tx) => {
      await query(tx, 'select id from account where email = ? for update', [email]);
      await Promise.all([resend(email), resend(email), resend(email)]);
      await core.post('/account/forgot-password', { Email: email }).expect(200);
    });
    await done();
    const types = (await core.app.mailsTo(email)).map(({ type }) => type);
    assert.deepEqual(types.slice(1).toSorted(), [
      'account.password-reset-requested',
      'account.verification-requested',
    ]);
  });

  it('responds as fast as usual while the account is locked by others', async () => {
    const email = await registered();
    await core.app.db.transaction(async (tx) => {
      await query(tx, 'select id from account where email = ? for update', [email]);
      const begun = performance.now();
      await Promise.all(Array.from({ length: 12 }, () => resend(email).expect(200, {})));
      const known = performance.now() - begun;
      assert.ok(known < 2000, `${known} ms`);
      assert.equal((await codesTo(email)).length, 1);
    });
    await done();
  });

  it('shares a limit per address with registrations and password resets', async () => {
    const strict = await startCore({ MAILS_PER_ADDRESS: 2 });
    try {
      await eventually(() => strict.app.sessionCache.isConnected());
      const from = { 'x-forwarded-for': someAddress() };
      const ask = (path: string) => strict.post(path, { Email: someEmail(), Password: PASSWORD }, from);
      await ask('/account/forgot-password').expect(200);
      await ask('/account/resend-verification').expect(200);
      const { headers } = await ask('/account/resend-verification').expect(429);
      assert.ok(Number(headers['retry-after']) > 3000);
    } finally {
      await strict.stop();
    }
  });
});
