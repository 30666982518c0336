import assert from 'node:assert/strict';
import { connectDb, query, type Db } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, startWorld, type Mail, type World } from '../testing/index.ts';

/** Admin looks for due accounts every five seconds, and the last mail is sent after that. */
const ERASED_SECONDS = 30;
const SUBJECTS = {
  code: 'Your code to erase your account',
  closed: 'Your account will be erased',
  erased: 'Your account was erased',
};

describe('erasure by the owner, with real mails', function () {
  this.timeout(120_000);
  let world: World;
  let db: Db;
  const open = async (settings: Record<string, string>): Promise<void> => {
    world = await startWorld(settings);
    db = connectDb({ url: world.stack.facts.databaseUrl, applicationName: 'test', poolMax: 2 });
  };
  afterEach(async () => {
    await db.destroy();
    await world.stop();
  });

  /** The mail of this kind with this number, counted from 1. */
  const mailed = (email: string, kind: keyof typeof SUBJECTS, count = 1): Promise<Mail> =>
    eventually(async () => {
      const mails = (await world.mailsTo(email)).filter(({ subject }) => subject === SUBJECTS[kind]);
      return mails.toSorted((a, b) => a.date.localeCompare(b.date))[count - 1];
    }, ERASED_SECONDS);
  /** Requests the erasure and confirms it with the mailed code. Returns the mail that follows. */
  const askAndConfirm = async (email: string, count = 1): Promise<Mail> => {
    const { Token } = await world.login(email);
    const asked = await world.post('/account/erase', { Password: PASSWORD }, Token);
    assert.deepEqual([asked.status, asked.body], [200, {}]);
    const { text } = await mailed(email, 'code', count);
    const Code = /^\w{4}-\w{4}$/m.exec(text)?.[0];
    const confirmed = await world.post('/account/erase', { Code }, Token);
    assert.equal(confirmed.status, 202, confirmed.text);
    assert.equal((await world.call('GET', '/ping/auth', undefined, Token)).status, 401);
    return mailed(email, 'closed', count);
  };
  const restoreLinkIn = ({ text }: Mail) => /https?:\S+\/restore-account#\S+/.exec(text)?.[0];
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
  const isForgotten = async (email: string): Promise<void> => {
    await mailed(email, 'erased');
    // By then the worker has marked the mails that it sent, and the relay has removed what it published from the
    // outbox.
    await eventually(async () => (await tablesWith(email)).length === 0, ERASED_SECONDS);
    const login = await world.post('/account/login', { Username: email, Password: PASSWORD });
    assert.equal(login.status, 404);
  };

  it('is done within seconds, without a way to cancel, with ERASE_AFTER_DAYS=0', async () => {
    await open({ ERASE_AFTER_DAYS: '0' });
    const email = await world.newAccount();
    assert.equal(restoreLinkIn(await askAndConfirm(email)), undefined);
    await isForgotten(email);
    // A new registration with this address creates a different account.
    const again = await world.post('/account/register', { Email: email, Password: PASSWORD });
    assert.equal(again.status, 200);
  });
});
