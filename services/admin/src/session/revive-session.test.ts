import assert from 'node:assert/strict';
import { endSessions, publishSessions, refresh } from '@gatehouse/accounts';
import { SessionStatus } from '@gatehouse/schema';
import { accounts, inTransaction, userSessions } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { PATH, useSessions, problem } from './testing.ts';

describe('a session that is made active again', () => {
  const at = useSessions({ SESSION_IDLE_SECONDS: 600 });

  it('works as before, with its tokens, and counts as just seen', async () => {
    const session = await at.newSession();
    const SessionId = session.sessionId;
    await at.change({ SessionId, Status: 4 }).expect(200);
    const statement = `update user_session set last_seen_at = now() - interval '1 hour' where id = ?`;
    await at.sql(statement, [SessionId]);
    for (const Status of [1, 2, 5]) {
      await at.change({ SessionId, Status: 7 }).expect(200);
      const { body } = await at.change({ SessionId, Status }).expect(200);
      assert.equal(body.Items[0].EndedAt, null);
      assert.ok(Date.now() - Date.parse(body.Items[0].LastSeenAt) < 60_000);
      assert.equal(await at.bearerOf(session), 'active');
      assert.equal(await at.pingOf(session), Status === 2 ? 2 : 1);
    }
  });

  /** Changes a password like Core and Portal: every session ends, except the one that made the change. */
  const setPassword = async (accountId: string, keptSessionId?: string) => {
    const ended = await inTransaction(at.app().db, NO_DEADLINE, async (tx) => {
      await accounts.lockById(tx, accountId);
      await accounts.updatePassword(tx, { accountId, passwordHash: 'no hash' });
      if (keptSessionId !== undefined) await userSessions.followPassword(tx, keptSessionId);
      const kept = keptSessionId !== undefined && { exceptSessionId: keptSessionId };
      const target = { kind: 'account', accountId, ...kept } as const;
      const status = SessionStatus.Deactivated;
      const change = { status, reason: 'password_reset', changedBy: accountId } as const;
      return endSessions(at.app(), tx, target, change, undefined);
    });
    await publishSessions(at.app(), ended);
  };
  /** Checks that neither a change by id nor one by filter revives the session. */
  const assertRevoked = async ({ person, sessionId }: Awaited<ReturnType<typeof at.newSession>>) => {
    for (const Status of [4, 7]) {
      await at.change({ SessionId: sessionId, Status }).expect(200);
      await at.change({ SessionId: sessionId, Status: 1 }).expect(problem('conflict'));
      const Filter = { UserId: person.id, Status };
      assert.equal((await at.change({ Filter, Status: 1 }).expect(200)).body.Count, 0);
    }
    assert.deepEqual(await person.sessions(), []);
  };

  it('cannot be one that a new password ended', async () => {
    const stolen = await at.newSession();
    await setPassword(stolen.person.id);
    assert.equal(await at.bearerOf(stolen), 'session_deactivated');
    await assertRevoked(stolen);
    // A later session may be revived, as usual.
    const { sessionId } = await at.login(stolen.person);
    await at.change({ SessionId: sessionId, Status: 4 }).expect(200);
    await at.change({ SessionId: sessionId, Status: 1 }).expect(200);
  });

  it('cannot be one that ended before the password changed, except the session that changed it', async () => {
    const ended = await at.newSession();
    const kept = await at.login(ended.person);
    await setPassword(ended.person.id, kept.sessionId);
    await at.change({ SessionId: kept.sessionId, Status: 7 }).expect(200);
    await at.change({ SessionId: ended.sessionId, Status: 1 }).expect(409);
    await at.change({ SessionId: kept.sessionId, Status: 1 }).expect(200);
    assert.deepEqual(await ended.person.sessions(), [kept.sessionId]);
  });

  it('cannot be one whose refresh token was stolen, with any later status', async () => {
    const stolen = await at.newSession();
    const origin = { traceId: 'test', dueAt: Infinity };
    const read = at.app().refreshTokens.read(stolen.RefreshToken);
    assert.ok(read);
    const copy = at.app().refreshTokens.issue(read.sessionId, at.app().refreshTokens.newNonce());
    assert.deepEqual(await refresh(at.app(), copy, origin), { kind: 'refused', code: 'session_deactivated' });
    await assertRevoked(stolen);
  });

  for (const reason of [
    'identity_unlinked',
    'passkey_removed',
    'two_factor_enabled',
    'two_factor_removed',
    'two_factor_required',
  ] as const)
    it(`cannot be one that ended as ${reason}, with any later status`, async () => {
      const doubtful = await at.newSession();
      const target = { kind: 'session', sessionId: doubtful.sessionId } as const;
      const change = { status: SessionStatus.Deactivated, reason, changedBy: undefined };
      const ended = await inTransaction(at.app().db, NO_DEADLINE, (tx) =>
        endSessions(at.app(), tx, target, change, undefined),
      );
      await publishSessions(at.app(), ended);
      await assertRevoked(doubtful);
    });

  it('cannot be one from an old version without the required data', async () => {
    const old = await at.newSession();
    await at.sql('update user_session set password_version = null where id = ?', [old.sessionId]);
    await assertRevoked(old);
  });

  it('replaces the one that replaced it', async () => {
    const older = await at.newSession();
    const newer = await at.login(older.person);
    assert.equal(await at.bearerOf(older), 'session_replaced');
    assert.equal((await at.change({ SessionId: older.sessionId, Status: 1 }).expect(200)).body.Count, 1);
    assert.equal(await at.bearerOf(older), 'active');
    assert.equal(await at.bearerOf(newer), 'session_replaced');
    assert.equal(await at.pingOf(newer), 4);
    const { History } = await at.show(newer.sessionId);
    assert.deepEqual([History.at(-1).Status, History.at(-1).ChangedBy], [3, at.boss.id]);
    assert.deepEqual(await older.person.sessions(), [older.sessionId]);
  });

  it('does not affect others if several sessions are allowed', async () => {
    const several = await at.another({ SINGLE_SESSION: false });
    const person = await at.member();
    const change = (given: object) => several.post(PATH, at.boss, given).expect(200);
    const [older, newer] = [await several.login(person), await several.login(person)];
    await change({ SessionId: older.sessionId, Status: 4 });
    await change({ SessionId: older.sessionId, Status: 1 });
    for (const one of [older, newer]) assert.equal(await at.bearerOf(one), 'active');

    // A filter then revives all sessions of an account.
    const UserId = person.id;
    await change({ UserId, Status: 4 });
    const current = await several.login(person);
    assert.equal((await change({ Filter: { UserId, Status: 4 }, Status: 1 })).body.Count, 2);
    for (const one of [older, newer, current]) assert.equal(await at.bearerOf(one), 'active');
  });

  it('is the only one with concurrent reactivations, by id and by filter, and logins', async () => {
    for (let round = 0; round < 4; round += 1) {
      const first = await at.newSession();
      const second = await at.login(first.person);
      const third = await at.login(first.person);
      const Filter = { UserId: first.person.id, Status: 3 };
      const [one, two, many, login] = await Promise.all([
        at.change({ SessionId: first.sessionId, Status: 1 }),
        at.change({ SessionId: second.sessionId, Status: 2 }),
        at.change({ Filter, Status: 1 }),
        at.login(first.person),
      ]);
      assert.deepEqual([one.status, two.status, many.status], [200, 200, 200]);
      const active = await first.person.sessions();
      assert.equal(active.length, 1);
      for (const session of [first, second, third, login]) {
        const expected = session.sessionId === active[0] ? 'active' : 'session_replaced';
        assert.equal(await at.bearerOf(session), expected);
      }
    }
  });

  it('is refused past its absolute lifetime', async () => {
    const session = await at.newSession();
    const SessionId = session.sessionId;
    await at.change({ SessionId, Status: 4 }).expect(200);
    await at.sql('update user_session set expires_at = now() where id = ?', [SessionId]);
    for (const Status of [1, 2, 5]) await at.change({ SessionId, Status }).expect(409);
    await at.change({ SessionId, Status: 3 }).expect(200);
    assert.equal(await at.bearerOf(session), 'session_replaced');
  });

  for (const state of [
    'is_disabled = true',
    "expires_at = now() - interval '1 second'",
    'email_verified_at = null',
    'new_password_required = true',
    "signup = 'migration'",
  ])
    it(`is refused for an account with this state: ${state}`, async () => {
      const session = await at.newSession();
      const SessionId = session.sessionId;
      await at.change({ SessionId, Status: 4 }).expect(200);
      await session.person.set(state);
      for (const Status of [1, 2, 5]) await at.change({ SessionId, Status }).expect(problem('conflict'));
      const Filter = { UserId: session.person.id, Status: 4 };
      assert.equal((await at.change({ Filter, Status: 1 }).expect(200)).body.Count, 0);
      assert.deepEqual(await session.person.sessions(), []);
    });

  it('can be one that expired, but not in a bulk change', async () => {
    const session = await at.newSession();
    const SessionId = session.sessionId;
    const runOut = `update user_session set last_seen_at = now() - interval '601 seconds', version = version + 1
      where id = ?`;
    await at.sql(runOut, [SessionId]);
    for (const target of [{ UserId: session.person.id }, { Filter: { UserId: session.person.id } }])
      assert.equal((await at.change({ ...target, Status: 2 }).expect(200)).body.Count, 0);
    await at.change({ SessionId, Status: 2 }).expect(200);
    assert.equal(await at.bearerOf(session), 'active');
    assert.equal(await at.pingOf(session), 2);
  });
});
