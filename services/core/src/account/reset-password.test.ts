import assert from 'node:assert/strict';
import { codeIn, readAudit, whileAuditFails, whileCommitsFail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, someAddress, startCore, type TestCore } from '../testing/index.ts';

const NEW = 'an entirely new one';

describe('POST /account/forgot-password and /account/reset-password', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  const forgot = (email: string) => core.post('/account/forgot-password', { Email: email });
  const reset = (email: string, code: unknown, password = NEW) =>
    core.post('/account/reset-password', { Email: email, Code: code, Password: password });
  const codeFor = (email: string): Promise<string> => core.forget(email);

  it('ends every session, clears a required new password, and notifies the owner', async () => {
    const email = await core.newAccount();
    const { Token, RefreshToken } = await core.login(email);
    await query(core.app.db, `update account set new_password_required = true where email = '${email}'`);
    await reset(email, await codeFor(email)).expect(200, {});
    assert.equal(await core.pingWith(Token), 4);
    await core.post('/account/refresh-token', { RefreshToken }).expect(401);
    await core.post('/account/login', { Username: email, Password: PASSWORD }).expect(404);
    await core.login(email, NEW);
    assert.equal((await core.app.mailsTo(email)).at(-1)?.type, 'account.password-changed');
  });

  it('is atomic with its audit entry, which has no email or code', async () => {
    const email = await core.newAccount();
    const { Token } = await core.login(email);
    const code = await codeFor(email);
    const [row] = await query<{ id: string }>(core.app.db, 'select id from account where email = ?', [email]);
    for (const whileFaulty of [whileAuditFails, whileCommitsFail]) {
      await whileFaulty(core.app, () => reset(email, code).expect(500));
    }
    const recorded = async () => {
      const { entries, text } = await readAudit(core.app, { targetId: row?.id });
      return { entries: entries.filter((entry) => entry.action.startsWith('password.')), text };
    };
    assert.equal((await recorded()).entries.length, 0);
    assert.equal(await core.pingWith(Token), 1);
    await core.login(email);
    await reset(email, code).expect(200);
    const { entries, text } = await recorded();
    const [{ action, actorId, actorKind, targetKind } = assert.fail('nothing is recorded'), ...more] =
      entries;
    assert.deepEqual(
      [action, actorId, actorKind, targetKind],
      ['password.reset', row?.id, 'Account', 'Account'],
    );
    assert.equal(more.length, 0);
    for (const secret of [email, code, NEW]) assert.ok(!text.includes(secret));
  });

  it('verifies the email, and invalidates the registration code', async () => {
    await core.post('/account/register', { Email: 'late@example.com', Password: PASSWORD });
    const verification = codeIn(await core.app.mailsTo('late@example.com'));
    await reset('late@example.com', await codeFor('late@example.com')).expect(200);
    await core.login('late@example.com', NEW);
    await core.post('/account/verify', { Email: 'late@example.com', Code: verification }).expect(400);
  });

  it('responds to every invalid code with the same 400, and changes nothing', async () => {
    const email = await core.newAccount();
    const code = await codeFor(email);
    const other = await codeFor(await core.newAccount());
    const first = await reset('nobody@example.com', '0000-0000').expect(400);
    for (const none of ['', 'AAAA', 'UUUU-UUUU', 'x'.repeat(5000), '\u0000', other]) {
      const { body, status } = await reset(email, none);
      assert.deepEqual({ ...body, traceId: 0, status }, { ...first.body, traceId: 0, status: 400 });
    }
    await core.login(email);
    await reset(email, code).expect(200);
  });

  it('uses a code once with twenty concurrent requests', async () => {
    const email = await core.newAccount();
    const code = await codeFor(email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => reset(email, code).set('x-forwarded-for', someAddress())),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('keeps the code for a better password when the first choice is refused', async () => {
    const email = await core.newAccount();
    const code = await codeFor(email);
    assert.equal((await reset(email, code, 'short').expect(400)).body.errors[0].pointer, '/Password');
    await reset(email, code).expect(200);
  });

  it('accepts only the newest code', async () => {
    const email = await core.newAccount();
    const [older, newer] = [await codeFor(email), await codeFor(email)];
    await reset(email, older).expect(400);
    await reset(email, newer).expect(200);
  });

  it('mails nothing to an account that could not log in after a reset', async () => {
    const email = await core.newAccount();
    for (const change of ['is_disabled = true', "is_disabled = false, signup = 'invitation'"]) {
      await query(core.app.db, `update account set ${change} where email = '${email}'`);
      await forgot(email).expect(200, {});
    }
    await eventually(async () => (await query(core.app.db, 'select id from reset_request')).length === 0);
    assert.equal((await core.app.mailsTo(email)).length, 1);
  });

  it('mails a code to an owner at a known address, although strangers have used up the mails', async () => {
    const email = await core.newAccount();
    const home = { 'x-forwarded-for': someAddress() };
    await core.post('/account/login', { Username: email, Password: PASSWORD }, home).expect(200);
    const waiting = async () =>
      (await query(core.app.db, 'select id from reset_request where email_key = ?', [email])).length;
    const ask = async (headers: Record<string, string>) => {
      await core.post('/account/forgot-password', { Email: email }, headers).expect(200, {});
      await eventually(async () => (await waiting()) === 0);
      return (await core.app.mailsTo(email)).length;
    };
    for (let asked = 0; asked < 5; asked += 1) await ask({ 'x-forwarded-for': someAddress() });
    assert.equal(await ask({ 'x-forwarded-for': someAddress() }), 6);
    assert.equal(await ask(home), 7);
    await reset(email, codeIn(await core.app.mailsTo(email))).expect(200);
  });

  it('resets the count of failed logins', async () => {
    const email = await core.newAccount();
    const guess = { Username: email, Password: 'a wrong password' };
    for (let time = 0; time < 11; time += 1) await core.post('/account/login', guess);
    await reset(email, await codeFor(email)).expect(200);
    await core.login(email, NEW);
  });

  it('responds as fast as usual while the account is locked by others, and mails after the response', async () => {
    const email = await core.newAccount();
    await core.app.db.transaction(async (tx) => {
      await query(tx, 'select id from account where email = ? for update', [email]);
      // Together with as many requests for unknown emails, so that other load affects both alike.
      const slowest = async (address: string) => {
        const begun = performance.now();
        await Promise.all(Array.from({ length: 12 }, () => forgot(address).expect(200, {})));
        return performance.now() - begun;
      };
      const [known, unknown] = await Promise.all([slowest(email), slowest('nobody@example.com')]);
      assert.ok(known < unknown + 1000, `${known} ms, and ${unknown} ms for nobody`);
      assert.equal((await core.app.mailsTo(email)).length, 1);
    });
    const waiting = () => query(core.app.db, 'select id from reset_request where email_key = ?', [email]);
    await eventually(async () => (await waiting()).length === 0, 15);
    await reset(email, codeIn(await core.app.mailsTo(email))).expect(200);
  });

  it('completes acknowledged requests, even in another process', async () => {
    const email = await core.newAccount();
    await query(
      core.app.db,
      `insert into reset_request (id, email_key, purpose, trace_id) values (gen_random_uuid(), ?, 'reset', '0')`,
      [email],
    );
    await eventually(async () => (await core.app.mailsTo(email)).length === 2);
    assert.deepEqual(
      await query(core.app.db, 'select id from reset_request where email_key = ?', [email]),
      [],
    );
  });

  it('takes as long for an email without an account as for one with', async () => {
    const email = await core.newAccount();
    const time = async (address: string) => {
      const begun = performance.now();
      await forgot(address).expect(200);
      return performance.now() - begun;
    };
    const times = { known: [] as number[], unknown: [] as number[] };
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
    const ratio = () => median(times.known) / median(times.unknown);
    const isEven = () => ratio() > 0.8 && ratio() < 1.25;
    // In turns, and more of them on a busy machine: the medians of equal distributions converge.
    for (let round = 1; round <= 60 && !(round > 9 && isEven()); round += 1) {
      times.known.push(await time(email));
      times.unknown.push(await time(`nobody${round}@example.com`));
    }
    assert.ok(isEven(), `medians differ by ${ratio()}`);
  });
});
