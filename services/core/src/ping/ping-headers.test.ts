import assert from 'node:assert/strict';
import { cast } from '../testing/cast.ts';

const ECHO = '/ping?includeHeaders=true';

describe('PING_HEADERS', () => {
  const { another, member } = cast();

  it('as bearer, echoes headers only for callers with a token', async () => {
    const core = await another({}, { pingHeaders: 'bearer' });
    await core.http.get('/ping').expect(200, 'Pong');
    const nobody = await core.http.get(ECHO).set('x-plain', 'seen').expect(401);
    assert.equal(nobody.body.code, 'token_missing');
    assert.ok(!nobody.text.includes('seen'));
    const { Token } = await (await member()).session();
    const answer = await core.http.get(ECHO).set(core.bearer(Token)).set('x-plain', 'seen').expect(200);
    assert.equal(answer.body['x-plain'], 'seen');
    await core.post('/account/logout', {}, core.bearer(Token)).expect(200);
    assert.equal((await core.http.get(ECHO).set(core.bearer(Token)).expect(401)).body.code, 'session_ended');
  });

  it('as off, echoes no headers', async () => {
    const core = await another({}, { pingHeaders: 'off' });
    await core.http.get('/ping').expect(200, 'Pong');
    const { Token } = await (await member()).session();
    for (const headers of [{}, core.bearer(Token)]) {
      assert.equal((await core.http.get(ECHO).set(headers).expect(403)).body.code, 'forbidden');
    }
  });
});
