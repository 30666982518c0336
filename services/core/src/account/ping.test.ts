import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SessionStatus } from '@gatehouse/schema';
import { endSessions, publishSessions } from '@gatehouse/accounts';
import { inTransaction, query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { startCore, type TestCore } from '../testing/index.ts';
import { NO_DEADLINE } from '@gatehouse/runtime';

describe('POST /account/ping', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ SESSION_IDLE_SECONDS: 60 });
  });
  after(() => core.stop());

  const newSession = async () => {
    const email = await core.newAccount();
    return { email, ...(await core.login(email)) };
  };
  const sessionOf = async (email: string) => {
    const [row] = await query<{ id: string; seen: number; content: string | null }>(
      core.app.db,
      `select s.id, extract(epoch from now() - s.last_seen_at)::float8 as seen, s.content_definition_id as content
       from user_session s join account a on a.id = s.account_id where a.email = ?`,
      [email],
    );
    assert.ok(row);
    return row;
  };
  const end = async (email: string, status: SessionStatus) => {
    const { id } = await sessionOf(email);
    const change = { status, reason: 'administrator', changedBy: undefined } as const;
    const { app } = core;
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
      const { email, Token } = await newSession();
      await end(email, status);
      assert.equal(await core.pingWith(Token), pingStatus);
      const { body } = await core.http.get('/ping/auth').set(core.bearer(Token)).expect(401);
      assert.equal(body.code, code);
    });
  }

  for (const [change, pingStatus] of [
    ['is_disabled = true', 4],
    ["expires_at = now() - interval '1 second'", 3],
  ] as const) {
    it(`returns ${pingStatus} for an account with this state: ${change}`, async () => {
      const { email, Token } = await newSession();
      await end(email, SessionStatus.SessionReplaced);
      const { app } = core;
      await query(app.db, `update account set ${change} where email = '${email}'`);
      await query(app.db, 'update user_session set version = version + 1');
      await publishSessions(app, [(await sessionOf(email)).id]);
      assert.equal(await core.pingWith(Token), pingStatus);
    });
  }

  it('stores last-seen time and watched content, in Postgres with a delay', async () => {
    const { email, Token } = await newSession();
    const content = randomUUID();
    await query(core.app.db, "update user_session set last_seen_at = now() - interval '40 seconds'");
    await core.post('/account/ping', { ContentDefinitionId: content }, core.bearer(Token)).expect(200);
    await eventually(async () => {
      const row = await sessionOf(email);
      return row.content === content && row.seen < 20;
    });
    await core.post('/account/ping', {}, core.bearer(Token)).expect(200);
    await eventually(async () => (await sessionOf(email)).content === null);
  });

  it('accepts no body or an empty object, and refuses other types', async () => {
    const { Token } = await newSession();
    await core.http.post('/account/ping').set(core.bearer(Token)).expect(200, { PingStatus: 1 });
    await core.post('/account/ping', {}, core.bearer(Token)).expect(200, { PingStatus: 1 });
    await core.post('/account/ping', [], core.bearer(Token)).expect(400);
    await core.post('/account/ping', { ContentDefinitionId: 'x' }, core.bearer(Token)).expect(400);
  });
});
