import assert from 'node:assert/strict';
import { codeIn, newToken, PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { startCore, type TestCore } from './testing.ts';

/** What the calls below write to, and what is looked at afterwards. */
const TABLES = ['account', 'audit', 'mail_quota', 'outbox', 'person', 'reset_request', 'user_session'];

describe('a call that was answered 503 for its deadline', function () {
  this.timeout(60_000);
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.stop());

  /** Every row and its version: whatever is written makes another one. */
  const versions = async () => {
    const rows: unknown[] = [];
    for (const table of TABLES) {
      rows.push(
        ...(await query(
          core.house.db,
          `select '${table}' as table, xmin::text, ctid::text from ${table} order by ctid`,
        )),
      );
    }
    return rows;
  };
  const isAtRest = async (): Promise<boolean> => {
    const rows = await query(
      core.house.db,
      `select 1 from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    );
    return rows.length === 0;
  };

  it('has no effect afterwards', async () => {
    const [owner, forgetful] = [await core.newAccount(), await core.newAccount()];
    const standing = await core.login(owner);
    await core.post('/account/forgot-password', { Email: forgetful }).expect(200);
    const Code = codeIn(await core.house.mailsTo(forgetful));
    const { Token } = await newToken(core.house);
    // Nothing that is written beside requests is to disturb the picture.
    await Promise.all([core.house.relay.stop(), core.house.service.relay.stop()]);
    // No statement takes too long, and all of them together do.
    await core.house.db.raw(`
      create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1.8); return null; end $$`);
    for (const table of [...TABLES, 'account_code']) {
      // A try of a code is counted before it is made.
      const changes = table === 'account_code' ? 'insert' : 'insert or update or delete';
      await core.house.db.raw(
        `create trigger slow before ${changes} on ${table} for each statement execute function slow()`,
      );
    }
    // forgot-password writes one row, and no row may take this long.
    await core.house.db.raw(`
      create function too_slow() returns trigger language plpgsql as $$ begin perform pg_sleep(2.6); return null; end $$;
      create trigger too_slow before insert on reset_request for each statement execute function too_slow()`);
    const before = await versions();

    const answers = await Promise.all([
      core.post('/account/login', { Username: owner, Password: PASSWORD }),
      core.post('/account/register', { Email: someEmail(), Password: PASSWORD }),
      core.post('/account/forgot-password', { Email: owner }),
      core.post('/account/reset-password', { Email: forgetful, Code, Password: 'a wholly new one' }),
      core.post('/person', { Name: 'Nobody yet' }, core.bearer(Token)),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 503, 503, 503, 503],
    );

    await eventually(isAtRest, 10);
    assert.deepEqual(await versions(), before);
    assert.equal(await core.pingWith(standing.Token), 1, 'no other session took its place');
  });
});
