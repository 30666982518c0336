import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, startCore, type TestCore } from '../../testing/index.ts';

interface Tokens {
  Token: string;
  RefreshToken: string;
}

describe('a service account', () => {
  let core: TestCore;
  let secondInstance: TestCore;
  before(async () => {
    core = await startCore({ SINGLE_SESSION: true });
    secondInstance = await startCore({}, core);
    // Unpublished events stay in the outbox, where the tests read them.
    await core.app.relay.stop();
    await secondInstance.app.relay.stop();
  });
  after(async () => {
    await secondInstance.stop();
    await core.stop();
  });

  const newService = async (): Promise<string> => {
    const email = await core.newAccount();
    await query(core.app.db, 'update account set is_service = true where email = ?', [email]);
    return email;
  };
  /** Whether each token is still accepted, on both instances. */
  const areGood = async (tokens: readonly Tokens[]) => {
    for (const { Token } of tokens)
      for (const on of [core, secondInstance])
        await on.http.get('/ping/auth').set(on.bearer(Token)).expect(200);
  };
  const active = async (email: string) =>
    query<{ is_exclusive: boolean }>(
      core.app.db,
      `select s.is_exclusive from user_session s join account a on a.id = s.account_id
       where a.email = ? and s.ended_at is null`,
      [email],
    );

  it('logs in and refreshes from many replicas concurrently, without ending sessions', async () => {
    const email = await newService();
    const replicas = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? core : secondInstance).login(email)),
    );
    await areGood(replicas);
    let held: Tokens[] = replicas;
    for (let round = 0; round < 4; round += 1) {
      const refreshed = held.map(async ({ RefreshToken }, index) => {
        const on = index % 2 === round % 2 ? core : secondInstance;
        return (await on.post('/account/refresh-token', { RefreshToken }).expect(200)).body as Tokens;
      });
      const [next, late] = await Promise.all([Promise.all(refreshed), core.login(email)]);
      held = [...next, late];
      await areGood(held);
    }
    const sessions = await active(email);
    assert.equal(sessions.length, 16);
    assert.ok(sessions.every(({ is_exclusive }) => !is_exclusive));
    const [replaced] = await query(
      core.app.db,
      `select 1 from user_session s join account a on a.id = s.account_id where a.email = ? and s.status = 2`,
      [email],
    );
    assert.equal(replaced, undefined);
  });

  it('is the only kind of account with several sessions if SINGLE_SESSION is on', async () => {
    const email = await core.newAccount();
    const first = await core.login(email);
    await secondInstance.login(email);
    await core.http.get('/ping/auth').set(core.bearer(first.Token)).expect(401);
    assert.equal((await active(email)).length, 1);
  });

  it('cannot sign in to a browser, and loses no session by the attempt', async () => {
    const email = await newService();
    const own = await core.login(email);
    const body = { Username: email, Password: PASSWORD, Delivery: 'Cookie' };
    const answer = await core.post('/account/login', body, { 'sec-fetch-site': 'same-origin' }).expect(403);
    assert.deepEqual([answer.body.code, answer.headers['set-cookie']], ['forbidden', undefined]);
    assert.equal((await active(email)).length, 1);
    await areGood([own]);
    const wrong = { ...body, Password: 'not its password' };
    await core.post('/account/login', wrong, { 'sec-fetch-site': 'same-origin' }).expect(404);
  });

  it('gets no mails', async () => {
    const email = await newService();
    const before = (await core.app.mailsTo(email)).length;
    const { RefreshToken } = await core.login(email);
    await core.post('/account/forgot-password', { Email: email }).expect(200, {});
    await core.post('/account/resend-verification', { Email: email }).expect(200, {});
    const again = { Email: email, Password: 'quite another password' };
    const { body: registered } = await core.post('/account/register', again).expect(200);
    assert.equal(registered.LoginStatus, 4);
    // Reuse of a refresh token counts as theft here too.
    const next = (await core.post('/account/refresh-token', { RefreshToken })).body as Tokens;
    await core.post('/account/refresh-token', { RefreshToken: next.RefreshToken }).expect(200);
    await query(
      core.app.db,
      `update user_session
       set refresh_overtaken_at = array(select unnest(refresh_overtaken_at) - interval '31 seconds')`,
    );
    await core.post('/account/refresh-token', { RefreshToken }).expect(401);
    const waiting = 'select 1 from reset_request limit 1';
    await eventually(async () => (await query(core.app.db, waiting)).length === 0);
    assert.equal((await core.app.mailsTo(email)).length, before);
    const codes = await query(
      core.app.db,
      'select 1 from account_code c join account a on a.id = c.account_id where a.email = ?',
      [email],
    );
    assert.equal(codes.length, 0);
    await core.login(email);
  });
});
