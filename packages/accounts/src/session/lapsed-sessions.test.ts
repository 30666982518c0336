import assert from 'node:assert/strict';
import { type Reading } from '@gatehouse/redis';
import { SessionStatus } from '@gatehouse/schema';
import { query } from '@gatehouse/db';
import { during } from '@gatehouse/db/testing';
import { endLapsedSession } from './lapsed-sessions.ts';
import { publishSessions } from './open-and-end.ts';
import { logIn, newAccount, openTestAccounts } from '../testing/index.ts';

describe('the end of a session that ran out', () => {
  const app = during(() => openTestAccounts());

  const newSession = async () => {
    const { id: accountId } = await newAccount(app);
    return { accountId, sessionId: (await logIn(app, { id: accountId })).sessionId };
  };
  const readingOf = async ({ accountId, sessionId }: { accountId: string; sessionId: string }) => {
    const reading = await app.sessionCache.read(accountId, sessionId);
    assert.ok(reading);
    return reading;
  };
  const statusOf = async ({ sessionId }: { sessionId: string }) => {
    const sql = 'select status, end_reason as reason from user_session where id = ?';
    const [row] = await query<{ status: number; reason: string | null }>(app.db, sql, [sessionId]);
    return row;
  };
  /** As an administrator ends a session, or makes it active again. */
  const change = async ({ sessionId }: { sessionId: string }, status: 'Expired' | 'Normal') => {
    const sql = `update user_session
       set status = ?, ended_at = ${status === 'Normal' ? 'null' : 'now()'}, end_reason = ?, last_seen_at = now(),
         version = version + 1
       where id = ?`;
    const reason = status === 'Normal' ? null : 'administrator';
    await query(app.db, sql, [SessionStatus[status], reason, sessionId]);
    await publishSessions(app, [sessionId]);
  };

  it('is stored', async () => {
    const session = await newSession();
    await endLapsedSession(app, await readingOf(session));
    assert.deepEqual(await statusOf(session), { status: SessionStatus.Expired, reason: 'expired' });
  });

  for (const [name, end] of [
    ['had run out', () => query(app.db, 'select 1')],
    ['had been ended', (session: { sessionId: string }) => change(session, 'Expired')],
  ] as const)
    it(`does not end a session that was reactivated after it was read: ${name}`, async () => {
      const session = await newSession();
      await end(session);
      const sql = `update user_session set last_seen_at = now() - interval '1 day', last_pinged_at = null where id = ?`;
      await query(app.db, sql, [session.sessionId]);
      const stale: Reading = await readingOf(session);
      await change(session, 'Normal');
      await endLapsedSession(app, stale);
      assert.deepEqual(await statusOf(session), { status: SessionStatus.Normal, reason: null });
    });
});
