import assert from 'node:assert/strict';
import { activity, query } from '@gatehouse/db';
import { PASSWORD, startCore, type TestCore } from '../testing/index.ts';

describe('the statistics of accounts and sessions', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ LOGIN_FAILURES_FREE: 2 });
  });
  after(() => core.stop());

  /** The activity counted during some work. */
  const countedIn = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    const { db } = core.app;
    const save = () => core.app.activity.flush((counts) => activity.add(db, counts));
    await save();
    await query(db, 'delete from activity');
    await work();
    await save();
    const sums = await activity.findSums(db, { from: new Date(0), to: new Date(), interval: 'day' });
    return Object.fromEntries(sums.map(({ kind, count }) => [kind, count]));
  };
  const tryLogin = (email: string, password: string) =>
    core.post('/account/login', { Username: email, Password: password });
  const change = (email: string, what: string) =>
    query(core.app.db, `update account set ${what} where email = ?`, [email]);

  it('count a registration and its verification', async () => {
    assert.deepEqual(await countedIn(core.newAccount), { registration: 1, verification: 1 });
  });

  it('count logins, replaced sessions, refreshes and logouts', async () => {
    const email = await core.newAccount();
    const counted = await countedIn(async () => {
      await core.login(email);
      const { Token, RefreshToken } = await core.login(email);
      await core.post('/account/refresh-token', { RefreshToken }).expect(200);
      await core.post('/account/refresh-token', { RefreshToken: 'x' }).expect(401);
      await core.post('/account/logout', {}, core.bearer(Token)).expect(200);
    });
    assert.deepEqual(counted, {
      'login.password': 2,
      refresh: 1,
      'session.logout': 1,
      'session.replaced': 1,
    });
  });

  it('count the reasons of refused logins', async () => {
    const email = await core.newAccount();
    const disabled = await core.newAccount();
    await change(disabled, 'is_disabled = true');
    const counted = await countedIn(async () => {
      await tryLogin(disabled, PASSWORD).expect(403);
      await tryLogin('nobody at all', PASSWORD).expect(404);
      await tryLogin(email, 'wrong').expect(404);
      await tryLogin(email, 'wrong').expect(404);
      await tryLogin(email, PASSWORD).expect(429);
      await core
        .post('/account/login', { TwoFactorToken: 'x'.repeat(43), TwoFactorCode: '123456' })
        .expect(404);
    });
    assert.deepEqual(counted, {
      'refused.account_disabled': 1,
      'refused.password': 3,
      'refused.second-factor': 1,
      'refused.throttled': 1,
    });
  });

  it('count password resets, and the sessions that they end', async () => {
    const email = await core.newAccount();
    await core.login(email);
    const counted = await countedIn(async () => {
      const Code = await core.forget(email);
      await core
        .post('/account/reset-password', { Email: email, Code, Password: 'another long one' })
        .expect(200);
      await core
        .post('/account/reset-password', { Email: email, Code, Password: 'another long one' })
        .expect(400);
    });
    assert.deepEqual(counted, { reset: 1, 'session.password_reset': 1 });
  });
});
