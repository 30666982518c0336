import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { failuresFor, failuresOf, setFailures } from '@gatehouse/accounts/testing';
import { query, throttleKeyText } from '@gatehouse/db';
import { addressGroup } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, someAddress, startCore, type TestCore } from '../../testing/index.ts';

describe('the throttle of logins', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ LOGIN_FAILURES_FREE: 10 });
  });
  after(() => core.stop());

  const attempt = (email: string, password: string, address?: string) =>
    core.post(
      '/account/login',
      { Username: email, Password: password },
      address === undefined ? {} : { 'x-forwarded-for': address },
    );

  it('delays an account after ten failures, and accepts the right password after the delay', async () => {
    const email = await core.newAccount();
    for (let failure = 0; failure < 10; failure += 1) await attempt(email, 'a wrong password').expect(404);
    const refused = await attempt(email, PASSWORD).expect(429);
    assert.equal(refused.headers['retry-after'], '1');
    await eventually(async () => (await attempt(email, PASSWORD)).status === 200, 3);
    await attempt(email, 'a wrong password').expect(404);
  });

  it('increases the delay with every further failure, up to fifteen minutes', async () => {
    const email = await core.newAccount();
    const wait = async (failures: number) => {
      await setFailures(core.app, failuresFor(email), failures);
      await attempt(email, 'a wrong password').expect(404);
      return Number((await attempt(email, PASSWORD).expect(429)).headers['retry-after']);
    };
    assert.deepEqual([await wait(10), await wait(12), await wait(500)], [2, 8, 900]);
  });

  it('checks ten of a hundred concurrent guesses, and then refuses all for a while', async () => {
    const email = await core.newAccount();
    const guesses = Array.from({ length: 100 }, () => attempt(email, 'a wrong password', someAddress()));
    const answers = await Promise.all(guesses);
    const checked = answers.filter(({ status }) => status === 404).length;
    assert.equal(checked, 10);
    assert.equal(answers.filter(({ status }) => status === 429).length, 90);
    await attempt(email, PASSWORD).expect(429);
  });

  it('allows the owner to log in from a known address, despite guesses from others', async () => {
    const email = await core.newAccount();
    const home = someAddress();
    await attempt(email, PASSWORD, home).expect(200);
    const elsewhere = someAddress();
    for (let failure = 0; failure < 10; failure += 1) await attempt(email, 'a guess', elsewhere).expect(404);
    await attempt(email, PASSWORD, elsewhere).expect(429);
    await attempt(email, PASSWORD, home).expect(200);
  });

  it('counts guesses from an address that must wait longer than the account', async () => {
    const email = await core.newAccount();
    const elsewhere = someAddress();
    await setFailures(core.app, { ...failuresFor(email), from: addressGroup(elsewhere) }, 15);
    await attempt(email, 'a guess', elsewhere).expect(404);
    await attempt(email, PASSWORD, someAddress()).expect(200);
    for (let failure = 0; failure < 10; failure += 1) await attempt(email, 'a guess', elsewhere).expect(404);
    await attempt(email, PASSWORD, elsewhere).expect(429);
  });

  it('counts a guess even if the end of its check cannot be recorded', async () => {
    const email = await core.newAccount();
    const { db } = core.app;
    await query(
      db,
      `create function fail() returns trigger language plpgsql as $$ begin raise 'out of luck'; end $$;
       create trigger fail before update on login_throttle for each row
       when (new.failures = old.failures and new.checks <> old.checks) execute function fail()`,
    );
    try {
      await attempt(email, 'a guess').expect(500);
    } finally {
      await query(db, 'drop function fail cascade');
    }
    assert.equal(await failuresOf(core.app, failuresFor(email)), 1);
  });

  it('counts the guess that locks an account even if no event can be stored', async () => {
    const email = await core.newAccount();
    const { db } = core.app;
    await setFailures(core.app, failuresFor(email), 9);
    await query(
      db,
      `create function fail() returns trigger language plpgsql as $$ begin raise 'out of luck'; end $$;
       create trigger fail before insert on outbox for each row
       when (new.type = 'account.locked') execute function fail()`,
    );
    try {
      await attempt(email, 'a guess').expect(500);
    } finally {
      await query(db, 'drop function fail cascade');
    }
    assert.equal(await failuresOf(core.app, failuresFor(email)), 10);
  });

  it('keeps that exception for the owner, for any user name that strangers enter', async () => {
    const email = await core.newAccount();
    const home = someAddress();
    const network = addressGroup(home);
    await attempt(email, PASSWORD, home).expect(200);
    const names = [
      email,
      `${email} ${network}`,
      `${email}\u0000${network}`,
      JSON.stringify(['email', email]),
      JSON.stringify(['email', email, network]),
      throttleKeyText({ ...failuresFor(email), from: network }),
    ];
    for (const name of names) {
      const elsewhere = someAddress();
      for (let failure = 0; failure < 12; failure += 1) await attempt(name, 'a guess', elsewhere);
    }
    await setFailures(core.app, failuresFor(email), 500);
    await attempt(email, 'a guess', someAddress()).expect(404);
    await attempt(email, PASSWORD, someAddress()).expect(429);
    await attempt(email, PASSWORD, home).expect(200);
  });

  it('stores neither the text nor a hash of invalid addresses', async () => {
    const typed = `my password ${randomUUID()}`;
    for (const name of [typed, `${typed} ${'x'.repeat(250)}`, `${typed} \u0000 \ud800`]) {
      await attempt(name, PASSWORD).expect(404);
    }
    const rows = await query<{ key: string }>(core.app.db, 'select email_key as key from login_throttle');
    const kept = rows.map(({ key }) => key);
    assert.deepEqual(
      kept.filter((key) => key.includes('my password') || key.length > 400),
      [],
    );
    const plain = createHash('sha256').update(typed).digest();
    for (const encoding of ['hex', 'base64url'] as const) {
      assert.ok(!kept.join().includes(plain.toString(encoding)));
    }
    assert.ok(kept.some((key) => key.startsWith('["user-name",')));
  });

  it('also delays guesses from the owner’s address', async () => {
    const email = await core.newAccount();
    const home = someAddress();
    await attempt(email, PASSWORD, home).expect(200);
    for (let failure = 0; failure < 10; failure += 1) await attempt(email, 'a guess', home).expect(404);
    await attempt(email, PASSWORD, home).expect(429);
  });

  it('publishes once that an account is locked', async () => {
    // Without a broker, events stay in the outbox, where they can be counted.
    const apart = await startCore({ AMQP_URL: 'amqp://127.0.0.1:9' });
    try {
      const email = await apart.newAccount();
      const guess = () => apart.post('/account/login', { Username: email, Password: 'a guess' });
      const locked = () =>
        query(
          apart.app.db,
          `select 1 from outbox where type = 'account.locked'
             and event -> 'data' ->> 'UserId' = (select id::text from account where email = ?)`,
          [email],
        );
      for (let failure = 0; failure < 9; failure += 1) await guess().expect(404);
      assert.equal((await locked()).length, 0);
      await guess().expect(404);
      await guess().expect(429);
      assert.equal((await locked()).length, 1);
    } finally {
      await apart.stop();
    }
  });

  it('throttles an unknown email in the same way', async () => {
    for (let failure = 0; failure < 10; failure += 1)
      await attempt('ghost@example.com', PASSWORD).expect(404);
    await attempt('ghost@example.com', PASSWORD).expect(429);
  });

  it('blocks an address after a hundred failures over many accounts, and no other address', async () => {
    const email = await core.newAccount();
    const address = someAddress();
    const neighbour = address.replace('::1', ':ffff::9');
    const guess = (index: number) => attempt(`guess${index}@example.com`, PASSWORD, address);
    for (let from = 0; from < 100; from += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => guess(from + index)));
      for (const { status } of answers) assert.equal(status, 404);
    }
    const refused = await attempt(email, PASSWORD, neighbour).expect(429);
    assert.ok(Number(refused.headers['retry-after']) > 800);
    await attempt(email, PASSWORD, someAddress()).expect(200);
  });

  it('counts logins to accounts that wait for their owner for the address, too', async () => {
    const email = await core.newAccount();
    await query(
      core.app.db,
      `update account set signup = 'new', password_hash = null, password_scheme = null where email = '${email}'`,
    );
    const address = someAddress();
    for (let from = 0; from < 100; from += 20) {
      const asked = Array.from({ length: 20 }, () => attempt(email, PASSWORD, address));
      for (const { status } of await Promise.all(asked)) assert.equal(status, 403);
    }
    await attempt(email, PASSWORD, address).expect(429);
    await attempt(email, PASSWORD, someAddress()).expect(403);
  });

  it('warns once of an address that fails for many accounts, without naming them', async () => {
    const [address, other] = [someAddress(), someAddress()];
    for (let index = 0; index < 25; index += 1) {
      await attempt(`sprayed${index}@example.com`, PASSWORD, address).expect(404);
      await attempt('mistyped@example.com', `${PASSWORD} ${index}`, other);
    }
    const from = [address, other].map(addressGroup);
    const warnings = core.app.lines.filter(({ message, address: seen }) => {
      return String(message).includes('failed logins for many accounts') && from.includes(String(seen));
    });
    assert.deepEqual(
      warnings.map(({ level, address: seen }) => [level, seen]),
      [['warn', from[0]]],
    );
    assert.ok(!JSON.stringify(warnings).includes('sprayed'));
  });
});
