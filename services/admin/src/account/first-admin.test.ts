import assert from 'node:assert/strict';
import { checkPassword } from '@gatehouse/accounts';
import {
  newAccount,
  openTestAccounts,
  PASSWORD,
  readAudit,
  someAddress,
  someEmail,
  atOnce,
} from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { ConfigError } from '@gatehouse/runtime';
import { duringEach, eventually } from '@gatehouse/runtime/testing';
import { bootstrapAdmin, createFirstAdmin } from './first-admin.ts';

describe('the first administrator', () => {
  const app = duringEach(() => openTestAccounts());

  const administrators = () =>
    query<{ email: string }>(app.db, `select email from account where role = 'Admin'`);
  const given = (email = someEmail()) => ({ FIRST_ADMIN_EMAIL: email, FIRST_ADMIN_PASSWORD: PASSWORD });
  /** Bootstraps like a service does; `turn` runs its periodic work once. */
  const bootstrap = async (settings: Parameters<typeof bootstrapAdmin>[1]) => {
    const works: (() => Promise<unknown>)[] = [];
    await bootstrapAdmin(app, settings, { every: (_seconds, _name, work) => void works.push(work) });
    return async () => {
      for (const work of works) await work();
    };
  };
  const start = async (settings: Parameters<typeof bootstrap>[0]) => (await bootstrap(settings))();

  it('is created from the settings with a verified email, and can log in', async () => {
    await start(given('The.Boss@Example.com'));
    assert.deepEqual(await administrators(), [{ email: 'The.Boss@example.com' }]);
    const attempt = { userName: 'the.boss@example.com', password: PASSWORD, addressGroup: someAddress() };
    const outcome = await checkPassword(app, attempt);
    assert.ok(outcome.kind === 'right' && outcome.account.isEmailVerified);
    const { entries, text } = await readAudit(app, { action: 'account.created' });
    const shown = entries.map(({ actorKind, targetId, details }) => [actorKind, targetId, details]);
    assert.deepEqual(shown, [['System', outcome.account.id, { Role: 'Admin' }]]);
    assert.ok(!text.includes('Boss'));
  });

  it('is created once by concurrent processes and repeated starts', async () => {
    const turns = await atOnce(8, () => bootstrap(given()));
    await Promise.all(turns.map((turn) => turn()));
    assert.equal((await administrators()).length, 1);
    await start(given());
    assert.equal((await administrators()).length, 1);
  });

  it('is not created if another administrator exists, even a disabled one', async () => {
    const other = await newAccount(app, { role: 'Admin' });
    await query(app.db, 'update account set is_disabled = true where id = ?', [other.id]);
    assert.equal((await createFirstAdmin(app, { email: someEmail(), password: PASSWORD })).kind, 'exists');
    assert.deepEqual(await administrators(), [{ email: other.email }]);
  });

  it('does not come back in a running process when the administrators are gone', async () => {
    const turn = await bootstrap(given());
    await turn();
    await query(app.db, `update account set role = 'User'`);
    await turn();
    assert.deepEqual(await administrators(), []);
  });

  it('does not take over an existing account', async () => {
    const { id, email } = await newAccount(app);
    const before = await accounts.findById(app.db, id);
    await start({ FIRST_ADMIN_EMAIL: email.toUpperCase(), FIRST_ADMIN_PASSWORD: 'another password' });
    assert.deepEqual(await accounts.findById(app.db, id), before);
    app.log.flush();
    const line = app.lines.find(({ level }) => level === 'error');
    assert.match(String(line?.['message']), /FIRST_ADMIN_EMAIL belongs to an account/);
  });

  it('waits for a database that is not ready', async () => {
    await app.db.raw('alter table account rename to account_away');
    const turn = await bootstrap(given());
    await assert.rejects(turn());
    await app.db.raw('alter table account_away rename to account');
    await eventually(() => turn().then(() => true));
    assert.equal((await administrators()).length, 1);
  });

  it('is not created without settings, and invalid settings are refused at startup', async () => {
    await start({});
    assert.deepEqual(await administrators(), []);
    for (const settings of [
      { FIRST_ADMIN_EMAIL: someEmail() },
      { FIRST_ADMIN_PASSWORD: PASSWORD },
      { ...given(), FIRST_ADMIN_EMAIL: 'nobody' },
      { ...given(), FIRST_ADMIN_PASSWORD: 'short' },
      { ...given(), FIRST_ADMIN_PASSWORD: 'administrator' },
    ])
      await assert.rejects(
        () => bootstrap(settings),
        (error: Error) => error instanceof ConfigError && !error.message.includes(PASSWORD),
        JSON.stringify(settings),
      );
  });
});
