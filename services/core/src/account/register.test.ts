import assert from 'node:assert/strict';
import { codeIn } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { registeredBody } from '../testing/registered-body.ts';
import { PASSWORD, someAddress, startCore, type TestCore } from '../testing/index.ts';

describe('POST /account/register and /account/verify', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  const register = (email: string, more: object = {}) =>
    core.post('/account/register', { Email: email, Password: PASSWORD, ...more });
  const verify = (email: string, code: unknown) => core.post('/account/verify', { Email: email, Code: code });
  const typesTo = async (email: string) => (await core.app.mailsTo(email)).map(({ type }) => type);

  it('has the same response for a new and a known email, whose owner is notified by mail', async () => {
    const email = await core.newAccount();
    const [known, unknown] = [await register(email), await register('new@example.com')];
    assert.deepEqual(
      [known.status, registeredBody(known.body)],
      [unknown.status, registeredBody(unknown.body)],
    );
    assert.deepEqual(await typesTo(email), [
      'account.verification-requested',
      'account.registration-repeated',
    ]);
    await core.login(email);
  });

  for (const which of [0, 1, 2]) {
    it(`mails another code for a repeated registration, and accepts any of them once: number ${which + 1}`, async () => {
      const email = `again${which}@example.com`;
      for (const spelling of [email, email.toUpperCase(), email]) await register(spelling).expect(200);
      const codes = (await core.app.mailsTo(email)).map((mail) => codeIn([mail]));
      assert.equal(new Set(codes).size, 3);
      await verify(email, codes[which]).expect(200);
      for (const code of codes) await verify(email, code).expect(400);
      await core.login(email);
    });
  }

  it('creates one account for twenty concurrent registrations', async () => {
    // From one address, some of them would get no turn to hash their password.
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register('crowd@example.com').set('x-forwarded-for', someAddress())),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    const rows = await query(core.app.db, "select 1 from account where email_key = 'crowd@example.com'");
    assert.equal(rows.length, 1);
  });

  it('mails at most five codes an hour, after which the older ones still work', async () => {
    for (let time = 1; time <= 6; time += 1) await register('often@example.com').expect(200);
    assert.equal((await typesTo('often@example.com')).length, 5);
    await verify('often@example.com', codeIn(await core.app.mailsTo('often@example.com'))).expect(200);
    await core.login('often@example.com');
  });

  it('limits an address that requests too many mails, with 429', async () => {
    const strict = await startCore({ MAILS_PER_ADDRESS: 3 });
    try {
      await eventually(() => strict.app.sessionCache.isConnected());
      const ask = (path: string, email: string) => strict.post(path, { Email: email, Password: PASSWORD });
      for (let time = 0; time < 2; time += 1)
        await ask('/account/register', `v+${time}@example.com`).expect(200);
      await ask('/account/forgot-password', 'v+0@example.com').expect(200);
      const refused = await ask('/account/register', 'v+9@example.com').expect(429);
      assert.ok(Number(refused.headers['retry-after']) > 3000);
      await ask('/account/forgot-password', 'nobody@example.com').expect(429);
      // Whoever has a /48 of IPv6 cannot go on for ever with others of its networks.
      const answers: number[] = [];
      const site = someAddress().replace(/:[\da-f]+::1$/, '');
      for (let network = 1; network <= 11; network += 1) {
        const from = { 'x-forwarded-for': `${site}:${network}::1` };
        const request = { Email: 'nobody@example.com' };
        answers.push((await strict.post('/account/forgot-password', request, from)).status);
      }
      assert.deepEqual(answers, [...Array<number>(9).fill(200), 429, 429]);
    } finally {
      await strict.stop();
    }
  });

  for (const [password, reason] of [
    ['short', /at least 8/],
    ['password1', /most common/],
    ['someone@example.com', /email/],
    ['x'.repeat(257), /at most 256/],
    ['with a \u0000 in it', /well-formed/],
    ['with a \ud800 in it', /well-formed/],
  ] as const) {
    it(`refuses the password ${JSON.stringify(password).slice(0, 30)}`, async () => {
      const { body } = await register('someone@example.com', { Password: password }).expect(400);
      assert.equal(body.errors[0].pointer, '/Password');
      assert.match(body.errors[0].message, reason);
    });
  }

  it('uses a code once with four concurrent requests', async () => {
    await register('used@example.com');
    const used = codeIn(await core.app.mailsTo('used@example.com'));
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify('used@example.com', used)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    await verify('used@example.com', used).expect(400);
  });

  it('responds to every invalid code with the same 400', async () => {
    await register('odd@example.com');
    const codes = ['', 'AAAA', '0000-0000', 'UUUU-UUUU', 'x'.repeat(5000), '\u0000', '\ud800'];
    const answers = await Promise.all([
      verify('nobody@example.com', '0000-0000'),
      ...codes.map((code) => verify('odd@example.com', code)),
    ]);
    for (const { body, status } of answers) {
      assert.deepEqual({ ...body, traceId: 0, status }, { ...answers[0]?.body, traceId: 0, status: 400 });
    }
  });

  it('refuses a code of another account and one that expired', async () => {
    await register('mine@example.com');
    await register('yours@example.com');
    await verify('mine@example.com', codeIn(await core.app.mailsTo('yours@example.com'))).expect(400);
    await query(core.app.db, 'update account_code set expires_at = now()');
    await verify('mine@example.com', codeIn(await core.app.mailsTo('mine@example.com'))).expect(400);
  });

  it('carries the trace of the request into the mail', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await register('trace@example.com').set('traceparent', `00-${trace}-b7ad6b7169203331-01`);
    assert.equal((await core.app.mailsTo('trace@example.com'))[0]?.traceId, trace);
  });
});
