import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { startCore, type TestCore } from '../testing/index.ts';

describe('POST /account/refresh-token', () => {
  let core: TestCore;
  let secondInstance: TestCore;
  before(async () => {
    core = await startCore();
    secondInstance = await startCore({}, core);
  });
  after(async () => {
    await secondInstance.stop();
    await core.stop();
  });

  const refresh = (token: string, on = core) => on.post('/account/refresh-token', { RefreshToken: token });
  const next = async (token: string): Promise<string> =>
    ((await refresh(token).expect(200)).body as { RefreshToken: string }).RefreshToken;
  const letGracePass = (email: string) =>
    query(
      core.app.db,
      `update user_session
       set refresh_overtaken_at = array(select unnest(refresh_overtaken_at) - interval '31 seconds')
       where account_id = (select id from account where email = ?)`,
      [email],
    );

  it('treats a replaced token as stolen after the grace period: the session ends and its owner is notified', async () => {
    const email = await core.newAccount();
    const { RefreshToken: first, Token } = await core.login(email);
    const second = await next(first);
    const third = await next(second);
    await letGracePass(email);
    assert.equal((await refresh(first).expect(401)).body.code, 'session_deactivated');
    assert.equal(await core.pingWith(Token), 4);
    await refresh(third).expect(401);
    const mails = await core.app.mailsTo(email);
    assert.equal(mails.at(-1)?.type, 'refresh-token.reused');
  });

  it('accepts every replaced token for its thirty seconds, with fast rotation too', async () => {
    const { RefreshToken: first, Token } = await core.login(await core.newAccount());
    const tokens = [first];
    for (let time = 0; time < 6; time += 1) tokens.push(await next(tokens.at(-1) ?? ''));
    for (const [place, token] of tokens.slice(0, -1).entries()) {
      assert.equal(await next(token), tokens[place + 1]);
    }
    assert.equal(await core.pingWith(Token), 1);
  });

  it('ends only the session of a stolen token', async () => {
    const many = await startCore({ SINGLE_SESSION: false });
    try {
      const email = await many.newAccount();
      const [one, other] = [await many.login(email), await many.login(email)];
      const use = async (token: string) =>
        (await refresh(token, many).expect(200)).body as { RefreshToken: string };
      await use((await use(one.RefreshToken)).RefreshToken);
      await query(
        many.app.db,
        "update user_session set refresh_overtaken_at = array[now() - interval '31 seconds']",
      );
      await refresh(one.RefreshToken, many).expect(401);
      assert.deepEqual([await many.pingWith(one.Token), await many.pingWith(other.Token)], [4, 1]);
    } finally {
      await many.stop();
    }
  });

  it('publishes every theft, and notifies the owner within the hourly limit of mails', async () => {
    const few = await startCore({ MAILS_PER_HOUR: 1 });
    try {
      const email = await few.newAccount();
      for (let theft = 0; theft < 3; theft += 1) {
        const { RefreshToken } = await few.login(email);
        const use = async (token: string) =>
          ((await refresh(token, few).expect(200)).body as { RefreshToken: string }).RefreshToken;
        await use(await use(RefreshToken));
        await query(
          few.app.db,
          "update user_session set refresh_overtaken_at = array[now() - interval '31 seconds'] where ended_at is null",
        );
        await refresh(RefreshToken, few).expect(401);
      }
      const thefts = await query(
        few.app.db,
        "select 1 from session_event where reason = 'refresh_token_reused'",
      );
      const mails = (await few.app.mailsTo(email)).filter(({ type }) => type === 'refresh-token.reused');
      assert.deepEqual([thefts.length, mails.length], [3, 1]);
    } finally {
      await few.stop();
    }
  });

  it('revokes nothing for a guess', async () => {
    const { RefreshToken, Token } = await core.login(await core.newAccount());
    const bytes = Buffer.from(RefreshToken, 'base64url');
    for (const at of [0, 20, 40, 63]) {
      const guess = Buffer.from(bytes);
      guess[at] = (guess[at] ?? 0) ^ 1;
      assert.equal((await refresh(guess.toString('base64url')).expect(401)).body.code, 'token_invalid');
    }
    for (const guess of [`${RefreshToken}=`, ` ${RefreshToken}`, 'x', Token]) {
      assert.ok([400, 401].includes((await refresh(guess)).status));
    }
    assert.equal(await core.pingWith(Token), 1);
    await refresh(RefreshToken).expect(200);
  });

  it('responds with 403 and the account’s condition, before the session’s', async () => {
    for (const [status, change] of [
      [3, 'is_disabled = true'],
      [7, 'new_password_required = true'],
      [8, 'expires_at = now()'],
    ] as const) {
      const email = await core.newAccount();
      const { RefreshToken } = await core.login(email);
      await query(core.app.db, `update account set ${change} where email = '${email}'`);
      assert.equal((await refresh(RefreshToken).expect(403)).body.LoginStatus, status);
    }
  });

  it('responds with 401 and the reason for an ended session', async () => {
    const email = await core.newAccount();
    const { RefreshToken } = await core.login(email);
    const { RefreshToken: newer, Token } = await core.login(email);
    assert.equal((await refresh(RefreshToken).expect(401)).body.code, 'session_replaced');
    await core.post('/account/logout', {}, core.bearer(Token)).expect(200);
    assert.equal((await refresh(newer).expect(401)).body.code, 'session_ended');
  });

  it('lets a concurrent logout win', async () => {
    const { RefreshToken, Token } = await core.login(await core.newAccount());
    const refreshes = Array.from({ length: 20 }, () => refresh(RefreshToken));
    await core.post('/account/logout', {}, core.bearer(Token)).expect(200);
    const sets = (await Promise.all(refreshes)).filter(({ status }) => status === 200);
    for (const { body } of sets) {
      await core.http
        .get('/ping/auth')
        .set(core.bearer((body as { Token: string }).Token))
        .expect(401);
    }
    await refresh(RefreshToken).expect(401);
  });

  it('considers pings that are not in Postgres yet', async () => {
    const email = await core.newAccount();
    const { RefreshToken } = await core.login(email);
    await query(
      core.app.db,
      `update user_session set last_seen_at = now() - interval '3 hours'
       where account_id = (select id from account where email = ?)`,
      [email],
    );
    await refresh(RefreshToken).expect(200);
  });

  it('ends a session that was idle for too long, with the reason', async () => {
    const brief = await startCore({ SESSION_IDLE_SECONDS: 1 });
    try {
      const { RefreshToken, Token } = await brief.login(await brief.newAccount());
      await eventually(async () => {
        const { status, body } = await brief.http.get('/ping/auth').set(brief.bearer(Token));
        return status === 401 && (body as { code: string }).code === 'session_expired';
      });
      assert.equal(await brief.pingWith(Token), 3);
      assert.equal((await refresh(RefreshToken, brief).expect(401)).body.code, 'session_expired');
    } finally {
      await brief.stop();
    }
  });
});
