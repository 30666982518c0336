import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { failuresFor, failuresOf, moveClock, setFailures, whileTriggered } from '@gatehouse/accounts/testing';
import { addressGroup } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, countOf, type Person } from '../../testing/cast.ts';
import { NO_PASSWORD, PASSWORD, someAddress } from '../../testing/index.ts';
import { send } from '../../testing/passkeys.ts';
import { newOwner } from '../../testing/two-factor.ts';

describe('the throttle of logins', () => {
  const { core, member, someone } = cast({ LOGIN_FAILURES_FREE: 10 });

  const attempt = (email: string, password: string, address = someAddress()) =>
    someone(email).from(address).logsIn(password);
  const guessesTen = async (email: string, address?: string) => {
    for (let failure = 0; failure < 10; failure += 1) await attempt(email, 'a guess', address).expect(404);
  };
  const newEmail = async () => (await member()).email;

  it('delays an account after ten failures, as it does an unknown email, and accepts the right password after the delay', async () => {
    await guessesTen('ghost@example.com');
    await attempt('ghost@example.com', PASSWORD).expect(429);
    const email = await newEmail();
    await guessesTen(email);
    assert.equal((await attempt(email, PASSWORD).expect(429)).headers['retry-after'], '1');
    await eventually(async () => (await attempt(email, PASSWORD)).status === 200, 3);
    await attempt(email, 'a wrong password').expect(404);
  });

  it('increases the delay with every further failure, up to fifteen minutes', async () => {
    const email = await newEmail();
    const wait = async (failures: number) => {
      await setFailures(core().app, failuresFor(email), failures);
      await attempt(email, 'a wrong password').expect(404);
      return Number((await attempt(email, PASSWORD).expect(429)).headers['retry-after']);
    };
    assert.deepEqual([await wait(10), await wait(12), await wait(500)], [2, 8, 900]);
  });

  it('checks ten of a hundred concurrent guesses in all spellings, and then refuses all for a while', async () => {
    const email = await newEmail();
    const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('@', '＠')];
    const answers = await atOnce(100, (at) => attempt(spellings[at % 4] ?? '', 'a wrong password'));
    assert.deepEqual([countOf(404, answers), countOf(429, answers)], [10, 90]);
    await attempt(email, PASSWORD).expect(429);
  });

  it('allows the owner to log in from a known address, despite guesses from others, and delays guesses from there, too', async () => {
    const email = await newEmail();
    const home = someAddress();
    await attempt(email, PASSWORD, home).expect(200);
    const elsewhere = someAddress();
    await guessesTen(email, elsewhere);
    await attempt(email, PASSWORD, elsewhere).expect(429);
    await attempt(email, PASSWORD, home).expect(200);
    await guessesTen(email, home);
    await attempt(email, PASSWORD, home).expect(429);
  });

  it('counts guesses from an address that must wait longer than the account', async () => {
    const email = await newEmail();
    const elsewhere = someAddress();
    await setFailures(core().app, { ...failuresFor(email), from: addressGroup(elsewhere) }, 15);
    await attempt(email, 'a guess', elsewhere).expect(404);
    await attempt(email, PASSWORD, someAddress()).expect(200);
    await guessesTen(email, elsewhere);
    await attempt(email, PASSWORD, elsewhere).expect(429);
  });

  const ENDS_CHECK = 'new.failures = old.failures and new.checks <> old.checks';
  for (const [what, before, moment, condition] of [
    ['a guess even if the end of its check cannot be recorded', 0, 'update on login_throttle', ENDS_CHECK],
    ['the tenth guess even if no event can be stored', 9, 'insert on outbox', `new.type = 'account.locked'`],
  ] as const)
    it(`counts ${what}`, async () => {
      const { app } = core();
      const email = await newEmail();
      await setFailures(app, failuresFor(email), before);
      const fail = `if ${condition} then raise 'out of luck'; end if;`;
      await whileTriggered(app, [`trigger fail before ${moment}`], fail, async () => {
        await attempt(email, 'a guess').expect(500);
      });
      assert.equal(await failuresOf(app, failuresFor(email)), before + 1);
    });

  it('stores neither the text nor a hash of invalid addresses', async () => {
    const typed = `my password ${randomUUID()}`;
    for (const name of [typed, `${typed} ${'x'.repeat(250)}`, `${typed} \u0000 \ud800`])
      await attempt(name, PASSWORD).expect(404);
    const rows = await core().sql<{ key: string }>('select email_key as key from login_throttle');
    const kept = rows.map(({ key }) => key);
    assert.ok(!kept.some((key) => key.includes('my password') || key.length > 400));
    const plain = createHash('sha256').update(typed).digest();
    for (const encoding of ['hex', 'base64url'] as const)
      assert.ok(!kept.join().includes(plain.toString(encoding)));
    assert.ok(kept.some((key) => key.startsWith('["user-name",')));
  });

  it('publishes once that an account is locked', async () => {
    const ann = await member();
    const locked = async () => {
      const sql = `select 1 from outbox where type = 'account.locked' and event -> 'data' ->> 'UserId' = ?`;
      return (await core().sql(sql, [await ann.id()])).length;
    };
    for (let failure = 0; failure < 9; failure += 1) await ann.logsIn('a guess').expect(404);
    assert.equal(await locked(), 0);
    await ann.logsIn('a guess').expect(404);
    await ann.logsIn('a guess').expect(429);
    assert.equal(await locked(), 1);
  });

  const WRONG = 'A'.repeat(43);
  const passwordOf = (Username: string) => ({ Username, Password: PASSWORD });
  for (const [what, status, path, bodyOf] of [
    ['passwords of many accounts', 404, 'login', (_, at) => passwordOf(`guess${at}@example.com`)],
    ['passwords of an account that waits for its owner', 403, 'login', ({ email }) => passwordOf(email)],
    ['tokens of a second step', 404, 'login', () => ({ TwoFactorToken: WRONG, TwoFactorCode: '123456' })],
    ['codes of a hand-over', 400, 'handover/exchange', () => ({ HandoverCode: WRONG })],
  ] as [string, number, string, (waiting: Person, at: number) => object][])
    it(`blocks an address after a hundred wrong ${what}, and no other address`, async () => {
      const [ann, waiting] = [await member(), await member()];
      await waiting.set(`signup = 'new', ${NO_PASSWORD}`);
      const address = someAddress();
      const guess = (index: number) => ann.from(address).post(`/account/${path}`, bodyOf(waiting, index));
      for (let from = 0; from < 100; from += 20)
        assert.equal(countOf(status, await atOnce(20, (index) => guess(from + index))), 20);
      await guess(100).expect(429);
      const refused = await ann.from(address.replace('::1', ':ffff::9')).logsIn().expect(429);
      assert.ok(Number(refused.headers['retry-after']) > 800);
      await ann.logsIn().expect(200);
    });
});

describe('guesses of a second factor at login', () => {
  const { core, someone } = cast({ LOGIN_FAILURES_FREE: 10 });
  before(() => moveClock(core().app, 0));

  const owner = () => newOwner(core());
  const attempt = (body: object) => send(core(), body);
  const setTo = (email: string, failures: number) => setFailures(core().app, failuresFor(email), failures);
  const countFor = (email: string) => failuresOf(core().app, failuresFor(email));

  it('count like wrong passwords, and the right password does not reset them', async () => {
    const { email, phone, withPassword, ask } = await owner();
    for (let failure = 1; failure <= 10; failure += 1) {
      const token = await ask();
      const guess = failure % 2 === 0 ? { TwoFactorToken: token } : { ...withPassword };
      await attempt({ ...guess, TwoFactorCode: phone.wrongCode() }).expect(404);
      assert.equal(await countFor(email), failure);
    }
    assert.equal((await attempt(withPassword).expect(429)).headers['retry-after'], '1');
    const TwoFactorCode = phone.nextCode();
    await eventually(async () => (await attempt({ ...withPassword, TwoFactorCode })).status === 200, 3);
    assert.equal(await countFor(email), 0);
  });

  for (const how of ['with the right password', 'over many tokens'] as const)
    it(`are limited to ten of a hundred concurrent ones, ${how}`, async () => {
      const { phone, withPassword, ask } = await owner();
      const asked: object[] = [withPassword];
      if (how === 'over many tokens')
        for (let index = 0; index < 25; index += 1) asked[index] = { TwoFactorToken: await ask() };
      const TwoFactorCode = phone.wrongCode();
      const answers = await atOnce(100, (index) =>
        attempt({ ...asked[index % asked.length], TwoFactorCode }),
      );
      const checked = countOf(404, answers);
      assert.ok(checked <= 10, `${checked} were checked`);
      await attempt(withPassword).expect(429);
    });

  it('do not lock the owner out: after the delay, password and code are accepted, in one request or two', async () => {
    const { email, phone, withPassword, ask } = await owner();
    await setTo(email, 500);
    const TwoFactorToken = await ask();
    assert.equal(await countFor(email), 500);
    await attempt({ TwoFactorToken, TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal(await countFor(email), 0);
    await setTo(email, 500);
    await attempt({ ...withPassword, TwoFactorCode: phone.nextCode() }).expect(200);
    assert.equal(await countFor(email), 0);
  });

  it('are not reset by a password reset', async () => {
    const { email, phone, withPassword } = await owner();
    await attempt({ ...withPassword, TwoFactorCode: phone.wrongCode() }).expect(404);
    await someone(email)
      .resets(await someone(email).forgets(), `${PASSWORD} anew`)
      .expect(200);
    assert.equal(await countFor(email), 1);
  });
});
