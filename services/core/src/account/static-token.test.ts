import assert from 'node:assert/strict';
import { newToken } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast } from '../testing/cast.ts';

describe('static API tokens at Core', () => {
  const { core, another } = cast();

  const check = (token: string, at = core()) => at.http.get('/ping/auth').set(at.bearer(token));
  const ping = (token: string, at = core()) => at.post('/account/ping', {}, at.bearer(token));

  for (const role of ['Service', 'Admin'] as const) {
    it(`accepts a token of the role ${role}, without account and session`, async () => {
      const { Token } = await newToken(core().app, { role });
      const { headers } = await check(Token).expect(200, 'Pong Auth');
      assert.equal(headers['x-auth-role'], role);
      assert.deepEqual([headers['x-auth-account'], headers['x-auth-session']], [undefined, undefined]);
      assert.deepEqual((await ping(Token).expect(200)).body, { PingStatus: 1 });
      const { body } = await core().post('/account/logout', {}, core().bearer(Token)).expect(403);
      assert.equal(body.code, 'forbidden');
    });
  }

  it('refuses a revoked token within a second in every process, also for pings', async () => {
    const both = [core(), await another()];
    const { id, Token } = await newToken(core().app);
    for (const at of both) {
      await check(Token, at).expect(200);
      await ping(Token, at).expect(200);
    }
    await query(core().app.db, 'update api_token set revoked_at = now() where id = ?', [id]);
    for (const at of both) {
      await eventually(async () => (await ping(Token, at)).status === 401, 1);
      assert.equal((await ping(Token, at).expect(401)).body.code, 'token_invalid');
      assert.equal((await check(Token, at).expect(401)).body.code, 'token_invalid');
    }
  });

  it('sends no query for mistyped tokens, and at most two a second for a token in use', async () => {
    const { Token } = await newToken(core().app);
    const asked: string[] = [];
    const note = ({ sql }: { sql: string }) => void (sql.includes('from api_token') && asked.push(sql));
    core().app.service.db.on('query', note);
    try {
      for (const wrong of [`${Token.slice(0, -1)}_`, `${Token}0`, 'sat_'])
        assert.equal((await check(wrong).expect(401)).body.code, 'token_invalid');
      assert.equal(asked.length, 0);
      const since = performance.now();
      await atOnce(100, () => check(Token).expect(200));
      for (let round = 0; round < 100; round += 1) await check(Token).expect(200);
      const halfSeconds = (performance.now() - since) / 500;
      assert.ok(asked.length >= 1 && asked.length <= halfSeconds + 1, `${asked.length} in ${halfSeconds}`);
    } finally {
      core().app.service.db.off('query', note);
    }
  });

  it('refuses a token under a new TOKEN_SECRET', async () => {
    const other = await another({ TOKEN_SECRET: 'another secret of more than 32 characters' });
    const { Token } = await newToken(core().app);
    await check(Token).expect(200);
    assert.equal((await check(Token, other).expect(401)).body.code, 'token_invalid');
  });
});
