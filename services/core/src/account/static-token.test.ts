import assert from 'node:assert/strict';
import { newToken } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, problem } from '../testing/cast.ts';

describe('static API tokens at Core', () => {
  const { core, another } = cast();

  const check = (token: string, at = core()) => at.http.get('/ping/auth').set(at.bearer(token));
  const ping = (token: string, at = core()) => at.post('/account/ping', {}, at.bearer(token));

  for (const role of ['Service', 'Admin'] as const)
    it(`accepts a token of the role ${role}, without account and session, until a second after its revocation in every process`, async () => {
      const both = [core(), await another()];
      const { id, Token } = await newToken(core().app, { role });
      for (const at of both) {
        const { headers } = await check(Token, at).expect(200, 'Pong Auth');
        const shown = ['role', 'account', 'session'].map((name) => headers[`x-auth-${name}`]);
        assert.deepEqual(shown, [role, undefined, undefined]);
        assert.deepEqual((await ping(Token, at).expect(200)).body, { PingStatus: 1 });
      }
      await core().sql('update api_token set revoked_at = now() where id = ?', [id]);
      for (const at of both) {
        await eventually(async () => (await ping(Token, at)).status === 401, 1);
        await ping(Token, at).expect(problem('token_invalid'));
        await check(Token, at).expect(problem('token_invalid'));
      }
    });
});
