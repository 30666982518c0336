import assert from 'node:assert/strict';
import { publishSessions, refresh } from '@gatehouse/accounts';
import { someEmail, atOnce } from '@gatehouse/accounts/testing';
import { query, userSessions } from '@gatehouse/db';
import { personClaims, useSso } from '../testing/browser.ts';

type SignedOn = Record<'token' | 'refreshToken' | 'accountId' | 'sessionId' | 'email', string>;

describe('POST /api/auth/{provider}/renew', () => {
  const sso = useSso({ demo: { provisioning: 'jit' }, other: { provisioning: 'jit' } });

  const signOn = async (id = 'demo', email = someEmail()): Promise<SignedOn> => {
    const { parameters } = await sso.signOn(id, personClaims(email));
    const [token = '', refreshToken = ''] = [parameters[`${id}_token`], parameters[`${id}_refresh_token`]];
    const caller = await sso.admin.app.auth.authenticate(`Bearer ${token}`);
    if (caller.kind !== 'session') throw new Error(JSON.stringify(parameters));
    return { token, refreshToken, accountId: caller.accountId, sessionId: caller.sessionId, email };
  };
  const renew = (refreshToken: unknown, id = 'demo') =>
    sso.admin.post(`/api/auth/${id}/renew`, undefined, { refreshToken });
  const change = (id: string, assignments: string) =>
    sso.sql(`update account set ${assignments} where id = ?`, [id]);
  const remove = (id: string) => sso.sql('delete from account where id = ?', [id]);
  const deactivate = (SessionId: string) =>
    sso.boss.post('/admin/user-session', { SessionId, Status: 4 }).expect(200);
  const assertRefused = async (refreshToken: unknown, code: string, id = 'demo') => {
    const { status, body, headers } = await renew(refreshToken, id);
    assert.deepEqual([status, body.code], [401, code]);
    assert.match(String(headers['www-authenticate']), /^Bearer /);
  };

  it('returns a new access token with the same refresh token, repeatedly and concurrently', async () => {
    const { refreshToken, accountId, sessionId } = await signOn();
    const tokens = new Set<string>();
    for (let time = 0; time < 10; time += 1) {
      const { status, body, headers } = await renew(refreshToken);
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ['token', 'refreshToken']);
      assert.equal(body.refreshToken, refreshToken);
      assert.equal(headers['cache-control'], 'no-store');
      tokens.add(body.token);
      const caller = await sso.admin.app.auth.authenticate(`Bearer ${body.token}`);
      assert.ok(caller.kind === 'session' && caller.accountId === accountId);
      assert.equal(caller.sessionId, sessionId);
    }
    assert.equal(tokens.size, 10);
    const answers = await atOnce(20, () => renew(refreshToken));
    assert.ok(answers.every(({ status, body }) => status === 200 && body.refreshToken === refreshToken));
  });

  it('responds with 401 to an invalid refresh token, and to those of another provider', async () => {
    const mine = await signOn();
    const other = await signOn('other');
    const last = mine.refreshToken.at(-1);
    for (const token of ['x', mine.token, `${mine.refreshToken.slice(0, -1)}${last === 'A' ? 'B' : 'A'}`])
      await assertRefused(token, 'token_invalid');
    await assertRefused(mine.refreshToken, 'token_invalid', 'other');
    await assertRefused(other.refreshToken, 'token_invalid');
    assert.equal((await renew(mine.refreshToken)).status, 200, 'and none of that ends a session');
    assert.equal((await renew(mine.refreshToken, 'nobody')).status, 404);
  });

  it('refuses a token of a password login, as POST /account/refresh-token refuses one of a sign-on', async () => {
    const { admin } = sso;
    const person = await admin.newAccount();
    const login = await admin.login(person);
    await assertRefused(login.RefreshToken, 'token_invalid');
    const refreshed = await refresh(admin.app, login.RefreshToken, { traceId: 'test', dueAt: Infinity });
    assert.ok(refreshed.kind === 'refreshed', 'and that one goes on');

    const { refreshToken, token, email } = await signOn();
    for (let time = 0; time < 3; time += 1) {
      const outcome = await refresh(admin.app, refreshToken, { traceId: 'test', dueAt: Infinity });
      assert.deepEqual(outcome, { kind: 'refused', code: 'token_invalid' });
    }
    assert.equal((await renew(refreshToken)).status, 200);
    assert.equal((await admin.app.auth.authenticate(`Bearer ${token}`)).kind, 'session');
    const mails = await admin.app.mailsTo(email);
    assert.ok(!mails.some(({ type }) => type === 'refresh-token.reused'), 'nobody is told of theft');
  });

  for (const [what, end, code] of [
    ['was replaced by a login', ({ accountId }) => sso.login({ id: accountId }), 'session_replaced'],
    ['was replaced by a sign-on', ({ email }) => signOn('demo', email), 'session_replaced'],
    ['was deactivated', ({ sessionId }) => deactivate(sessionId), 'session_deactivated'],
    [
      'is of a disabled account',
      ({ accountId }) => change(accountId, 'is_disabled = true'),
      'session_deactivated',
    ],
    [
      'is of an expired account',
      ({ accountId }) => change(accountId, 'expires_at = now()'),
      'session_expired',
    ],
    ['is of a deleted account', ({ accountId }) => remove(accountId), 'token_invalid'],
  ] satisfies [what: string, end: (of: SignedOn) => PromiseLike<unknown>, code: string][])
    it(`is refused once the session ${what}`, async () => {
      const session = await signOn();
      await end(session);
      await assertRefused(session.refreshToken, code);
    });

  it('reports a required new password', async () => {
    const { refreshToken, accountId } = await signOn();
    await change(accountId, 'new_password_required = true');
    const { status, body } = await renew(refreshToken);
    assert.deepEqual([status, body.code, body.LoginStatus], [403, 'new_password_required', 7]);
  });

  it('keeps the session alive, as do pings that are not in Postgres yet, and does not revive an expired one', async () => {
    const { app } = sso.admin;
    const { refreshToken, sessionId, accountId } = await signOn();
    const seenAgo = async (seconds: number) => {
      const statement = `update user_session set last_seen_at = now() - make_interval(secs => ?) where id = ?`;
      await query(app.db, statement, [seconds, sessionId]);
    };
    await seenAgo(7100);
    assert.equal((await renew(refreshToken)).status, 200);
    const [state] = await userSessions.findStates(app.db, [sessionId]);
    assert.ok((state?.readAt ?? 0) - (state?.lastSeenAt ?? 0) < 60);
    await app.sessionCache.touch(accountId, sessionId, undefined);
    await seenAgo(10_800);
    assert.equal((await renew(refreshToken)).status, 200);
    const updateUserSession = `update user_session set expires_at = now() - interval '1 second',
      version = version + 1 where id = ?`;
    await query(app.db, updateUserSession, [sessionId]);
    await publishSessions(app, [sessionId]);
    await assertRefused(refreshToken, 'session_expired');
  });
});
