import assert from 'node:assert/strict';
import { connectDb, query, type Db } from '@gatehouse/db';
import { PASSWORD, startWorld, type World } from './testing/index.ts';

const OTHER = 'chosen by somebody else';
const ROUNDS = 4;

describe('registrations of one email at the same time on two instances of Core', function () {
  this.timeout(180_000);
  let world: World;
  let db: Db;
  before(async () => {
    world = await startWorld({}, { scale: 2 });
    db = connectDb({ url: world.stack.facts.databaseUrl, applicationName: 'registrations', poolMax: 2 });
  });
  after(async () => {
    await db.destroy();
    await world.stop();
  });

  /** Bypasses the gateway, so that each of the two instances gets one request. */
  const registerAtBoth = async (Email: string, passwords: readonly [string, string]): Promise<void> => {
    const cores = world.stack.facts.instances?.['core'] ?? [];
    assert.equal(cores.length, 2);
    const answers = await Promise.all(
      cores.map(async ({ url }, at) => {
        const response = await fetch(`${url}/account/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ Email, Password: passwords[at] }),
          signal: AbortSignal.timeout(15_000),
        });
        const { LoginStatus } = (await response.json()) as { LoginStatus: number };
        return [response.status, LoginStatus];
      }),
    );
    assert.deepEqual(answers, [
      [200, 4],
      [200, 4],
    ]);
  };
  const accountsOf = (email: string) =>
    query<{ id: string; isContested: boolean }>(
      db,
      `select id, is_contested as "isContested"
       from account where email_key = ?`,
      [email],
    );
  const statusOf = async (email: string, password: string) =>
    (await world.post('/account/login', { Username: email, Password: password })).status;
  const verify = async (email: string, code: string) =>
    (await world.post('/account/verify', { Email: email, Code: code })).status;
  const emails = () => Array.from({ length: ROUNDS }, () => world.someEmail());

  it('create one account, with one event, which accepts the password that both gave', async () => {
    for (const email of emails()) {
      await registerAtBoth(email, [PASSWORD, PASSWORD]);
      const [account, ...more] = await accountsOf(email);
      assert.ok(account);
      assert.deepEqual([account.isContested, more], [false, []]);
      const entries = await query(
        db,
        "select 1 from audit where target_id = ? and action = 'account.registered'",
        [account.id],
      );
      assert.equal(entries.length, 1);
      assert.equal(await verify(email, await world.mailedCode(email, 2)), 200);
      assert.equal(await statusOf(email, PASSWORD), 200);
    }
  });

  it('discard two different passwords: the owner of the mailbox chooses one', async () => {
    for (const email of emails()) {
      await registerAtBoth(email, [PASSWORD, OTHER]);
      const [account, ...more] = await accountsOf(email);
      assert.deepEqual([account?.isContested, more], [true, []]);
      assert.equal(await verify(email, await world.mailedCode(email, 2)), 200);
      assert.deepEqual([await statusOf(email, PASSWORD), await statusOf(email, OTHER)], [404, 404]);
      await world.post('/account/forgot-password', { Email: email });
      const reset = { Email: email, Code: await world.mailedCode(email, 3), Password: PASSWORD };
      assert.equal((await world.post('/account/reset-password', reset)).status, 200);
      assert.deepEqual([await statusOf(email, PASSWORD), await statusOf(email, OTHER)], [200, 404]);
    }
  });
});
