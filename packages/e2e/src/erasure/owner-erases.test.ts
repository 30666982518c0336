import assert from 'node:assert/strict';
import { connectDb, query, type Db } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { during } from '../testing/during.ts';
import { PASSWORD, startWorld, type Mail } from '../testing/index.ts';

/** Admin looks for due accounts every five seconds, and the last mail is sent after that. */
const ERASED_SECONDS = 30;
const SUBJECTS = {
  code: 'Your code to erase your account',
  closed: 'Your account will be erased',
  erased: 'Your account was erased',
};

describe('erasure by the owner, with real mails', function () {
  this.timeout(120_000);
  const world = during(() => startWorld({ ERASE_AFTER_DAYS: '0' }));
  let db: Db;
  before(() => {
    db = connectDb({ url: world.stack.facts.databaseUrl, applicationName: 'test', poolMax: 2 });
  });
  after(() => db.destroy());

  /** The mail of this kind. */
  const mailed = (email: string, kind: keyof typeof SUBJECTS): Promise<Mail> =>
    eventually(
      async () => (await world.mailsTo(email)).find(({ subject }) => subject === SUBJECTS[kind]),
      ERASED_SECONDS,
    );
  /** The tables that contain the address anywhere in a row. */
  const tablesWith = async (email: string): Promise<string[]> => {
    const tables = await query<{ name: string }>(
      db,
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const looks = tables.map(
      ({ name }) => `select '${name}' as name from "${name}" t where strpos(t::text, :email) > 0`,
    );
    return (await query<{ name: string }>(db, looks.join(' union '), { email })).map(({ name }) => name);
  };
  it('is done within seconds, without a way to cancel, with ERASE_AFTER_DAYS=0', async () => {
    const email = await world.newAccount();
    const { Token } = await world.login(email);
    const asked = await world.post('/account/erase', { Password: PASSWORD }, Token);
    assert.deepEqual([asked.status, asked.body], [200, {}]);
    const Code = /^\w{4}-\w{4}$/m.exec((await mailed(email, 'code')).text)?.[0];
    const confirmed = await world.post('/account/erase', { Code }, Token);
    assert.equal(confirmed.status, 202, confirmed.text);
    assert.equal((await world.call('GET', '/ping/auth', undefined, Token)).status, 401);
    assert.doesNotMatch((await mailed(email, 'closed')).text, /restore-account/);
    await mailed(email, 'erased');
    // By then the worker has marked the mails that it sent, and the relay has removed what it published from the
    // outbox.
    await eventually(async () => (await tablesWith(email)).length === 0, ERASED_SECONDS);
    const login = await world.post('/account/login', { Username: email, Password: PASSWORD });
    assert.equal(login.status, 404);
  });
});
