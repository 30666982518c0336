import assert from 'node:assert/strict';
import { logIn, newAccount, openTestAccounts, type TestAccounts } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { SessionWatch } from './session-watch.ts';

describe('the watch of a session', () => {
  let app: TestAccounts;
  before(async () => {
    app = await openTestAccounts();
  });
  after(() => app.stop());

  it('does not take back what it has said, where the cached copy is older', async () => {
    const { id: accountId } = await newAccount(app);
    const { sessionId } = await logIn(app, { id: accountId });
    const left = 'select 1 from live_session_outbox';
    await eventually(async () => (await query(app.db, left)).length === 0);
    // A restriction whose copy has not been written yet.
    await query(app.db, 'update user_session set status = 2, version = version + 1 where id = ?', [
      sessionId,
    ]);
    assert.equal((await app.sessionCache.read(accountId, sessionId))?.session.status, 1);
    const clock = { now: Date.now() };
    const watch = new SessionWatch({ ...app, now: () => clock.now });
    const statuses: number[] = [];
    let beats = 0;
    watch.watch({
      accountId,
      sessionId,
      expiresAt: undefined,
      presence: undefined,
      onStatus: ({ status }) => statuses.push(status),
      onBeat: () => (beats += 1),
      onEnd: () => {},
    });
    try {
      await eventually(() => statuses.length > 0);
      const said = [...statuses];
      clock.now += 20_000;
      await eventually(() => beats > 0);
      assert.deepEqual(statuses, said);
    } finally {
      watch.stop();
    }
  });
});
