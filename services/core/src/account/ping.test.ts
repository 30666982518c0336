import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SessionStatus } from '@gatehouse/schema';
import { endSessions, publishSessions } from '@gatehouse/accounts';
import { inTransaction, query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { cast, type Session } from '../testing/cast.ts';

describe('POST /account/ping', () => {
  const { core, member } = cast({ SESSION_IDLE_SECONDS: 60 });

  const isEnded = async ({ id }: Session, status: SessionStatus) => {
    const change = { status, reason: 'administrator', changedBy: undefined } as const;
    const { app } = core();
    const ended = await inTransaction(app.db, NO_DEADLINE, (tx) =>
      endSessions(app, tx, { kind: 'session', sessionId: id }, change, undefined),
    );
    await publishSessions(app, ended);
  };

  for (const [status, pingStatus, code] of [
    [SessionStatus.SessionReplaced, 4, 'session_replaced'],
    [SessionStatus.Deactivated, 4, 'session_deactivated'],
    [SessionStatus.Expired, 3, 'session_expired'],
    [SessionStatus.DeletedInvite, 4, 'invite_deleted'],
  ] as const) {
    it(`returns ${pingStatus} for a session of status ${status}, and other requests 401 ${code}`, async () => {
      const session = await (await member()).session();
      await isEnded(session, status);
      assert.equal(await session.pings(), pingStatus);
      assert.equal((await session.isChecked().expect(401)).body.code, code);
    });
  }

  for (const [change, pingStatus] of [
    ['is_disabled = true', 4],
    ["expires_at = now() - interval '1 second'", 3],
  ] as const) {
    it(`returns ${pingStatus} for an account with this state: ${change}`, async () => {
      const ann = await member();
      const session = await ann.session();
      await isEnded(session, SessionStatus.SessionReplaced);
      await ann.set(change);
      await query(core().app.db, 'update user_session set version = version + 1');
      await publishSessions(core().app, [session.id]);
      assert.equal(await session.pings(), pingStatus);
    });
  }

  it('stores last-seen time and watched content, in Postgres with a delay', async () => {
    const ann = await member();
    const session = await ann.session();
    const content = randomUUID();
    const stored = async () =>
      (
        await ann.sessions<{ seen: number; content: string | null }>(
          'extract(epoch from now() - last_seen_at)::float8 as seen, content_definition_id as content',
        )
      )[0];
    await query(core().app.db, "update user_session set last_seen_at = now() - interval '40 seconds'");
    await session.post('/account/ping', { ContentDefinitionId: content }).expect(200);
    await eventually(async () => {
      const row = await stored();
      return row?.content === content && row.seen < 20;
    });
    await session.post('/account/ping').expect(200);
    await eventually(async () => (await stored())?.content === null);
  });

  it('needs no body', async () => {
    const { Token } = await (await member()).session();
    await core().http.post('/account/ping').set(core().bearer(Token)).expect(200, { PingStatus: 1 });
  });
});
