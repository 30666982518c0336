import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, countOf } from '../testing/cast.ts';
import { PASSWORD, someAddress } from '../testing/index.ts';
import { registeredBody } from '../testing/registered-body.ts';

describe('POST /account/register and /account/verify', () => {
  const { core, another, someone, member } = cast();

  it('has the same response for a new and a known email, whose owner is notified by mail', async () => {
    const ann = await member();
    const [known, unknown] = [await ann.registers(), await someone().registers()];
    assert.deepEqual(
      [known.status, registeredBody(known.body)],
      [unknown.status, registeredBody(unknown.body)],
    );
    assert.deepEqual(await ann.mailTypes(), ['account.registration-repeated']);
    await ann.logsIn().expect(200);
  });

  for (const which of [0, 1, 2]) {
    it(`mails another code for a repeated registration, and accepts any of them once: number ${which + 1}`, async () => {
      const ann = someone();
      for (const Email of [ann.email, ann.email.toUpperCase(), ann.email])
        await ann.registers(PASSWORD, { Email }).expect(200);
      const codes = await ann.codes();
      assert.equal(new Set(codes).size, 3);
      await ann.verifies(codes[which]).expect(200);
      for (const code of codes) await ann.verifies(code).expect(400);
      await ann.logsIn().expect(200);
    });
  }

  it('creates one account for twenty concurrent registrations', async () => {
    const crowd = someone();
    assert.equal(countOf(200, await atOnce(20, () => crowd.registers())), 20);
    const rows = await query(core().app.db, 'select 1 from account where email_key = ?', [crowd.email]);
    assert.equal(rows.length, 1);
  });

  it('mails at most five codes an hour, after which the older ones still work', async () => {
    const ann = someone();
    for (let time = 1; time <= 6; time += 1) await ann.registers().expect(200);
    const codes = await ann.codes();
    assert.equal(codes.length, 5);
    await ann.verifies(codes.at(-1)).expect(200);
    await ann.logsIn().expect(200);
  });

  it('limits an address that requests too many mails, with 429', async () => {
    const strict = await another({ MAILS_PER_ADDRESS: 3 });
    await eventually(() => strict.app.sessionCache.isConnected());
    const home = someAddress();
    const forgets = (from: string) => {
      const ann = someone().at(strict).from(from);
      return ann.post('/account/forgot-password', { Email: ann.email });
    };
    for (let time = 0; time < 2; time += 1) await someone().at(strict).from(home).registers().expect(200);
    await forgets(home).expect(200);
    const refused = await someone().at(strict).from(home).registers().expect(429);
    assert.ok(Number(refused.headers['retry-after']) > 3000);
    await forgets(home).expect(429);
    const late = someone().at(strict).from(home);
    await late.post('/account/resend-verification', { Email: late.email }).expect(429);
    // Whoever has a /48 of IPv6 cannot go on for ever with others of its networks.
    const answers: number[] = [];
    const site = someAddress().replace(/:[\da-f]+::1$/, '');
    for (let network = 1; network <= 11; network += 1)
      answers.push((await forgets(`${site}:${network}::1`)).status);
    assert.deepEqual(answers, [...Array<number>(9).fill(200), 429, 429]);
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
      const { body } = await someone().registers(password, { Email: 'someone@example.com' }).expect(400);
      assert.equal(body.errors[0].pointer, '/Password');
      assert.match(body.errors[0].message, reason);
    });
  }

  it('uses a code once with four concurrent requests', async () => {
    const ann = someone();
    await ann.registers();
    const [code] = await ann.codes();
    assert.equal(countOf(200, await atOnce(4, () => ann.verifies(code))), 1);
    await ann.verifies(code).expect(400);
  });

  it('responds to every invalid code with the same 400', async () => {
    const ann = someone();
    await ann.registers();
    const codes = ['', 'AAAA', '0000-0000', 'UUUU-UUUU', 'x'.repeat(5000), '\u0000', '\ud800'];
    const answers = await Promise.all([
      someone().verifies('0000-0000'),
      ...codes.map((code) => ann.verifies(code)),
    ]);
    for (const { body, status } of answers)
      assert.deepEqual({ ...body, traceId: 0, status }, { ...answers[0]?.body, traceId: 0, status: 400 });
  });

  it('refuses a code of another account and one that expired', async () => {
    const [ann, bob] = [someone(), someone()];
    for (const one of [ann, bob]) await one.registers();
    await ann.verifies((await bob.codes())[0]).expect(400);
    const sql = 'update account_code set expires_at = now() where account_id = ?';
    await query(core().app.db, sql, [await ann.id()]);
    await ann.verifies((await ann.codes())[0]).expect(400);
  });

  it('carries the trace of the request into the mail', async () => {
    const ann = someone();
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await ann.registers().set('traceparent', `00-${trace}-b7ad6b7169203331-01`);
    assert.equal((await ann.mails())[0]?.traceId, trace);
  });
});
