import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { startApi } from '../testing/index.ts';
import { auth, routes } from '../testing/served-routes.ts';

describe('the errors of a new client', () => {
  const server = during(() => startApi({ routes, deps: { greeting: 'Hello' }, auth }));

  const missing = async (body: object): Promise<unknown> => {
    const answer = await server.http.post('/greet').send(body);
    const [first] = answer.body.errors as { pointer: string; message: string; code: string }[];
    assert.deepEqual([answer.status, first?.pointer, first?.code], [400, '/Name', 'required']);
    return first?.message;
  };

  it('name the field that is misspelt, if one is missing', async () => {
    for (const name of ['name', 'NAME', 'Namee', 'na_me']) {
      const told = `is required; did you mean it by '${name}'? Names are case-sensitive`;
      assert.equal(await missing({ Other: 1, [name]: 'Ann' }), told);
    }
    const told = await missing({ User: 'Ann', Nickname: 1 });
    assert.equal(told, "is required; unknown here: 'User', 'Nickname'");
    assert.equal(await missing({}), 'is required');
  });

  it('repeat no name that may be a secret, and only a few', async () => {
    for (const name of ['VEMP-X8NT', 'sat_abc1', 'a'.repeat(31), 'correct horse battery', ''])
      assert.equal(await missing({ [name]: 1 }), 'is required', name);
    const nameOf = (at: number) => `x${'abcdefghij'[at % 10]}`.repeat(1 + at / 240);
    const many = Object.fromEntries(Array.from({ length: 2400 }, (_, at) => [nameOf(at), 1]));
    assert.equal(String(await missing(many)).split("'").length, 11);
  });

  it('say what is wrong with the Authorization header, without its text', async () => {
    for (const [header, told] of [
      ['Basic dXNlcjpzZWNyZXQ=', /Bearer <token>" is expected here, not Basic$/],
      ['eyJhbGciOiJFUzI1NiJ9.e30.secret', /must be "Authorization: Bearer <token>", with the word Bearer$/],
      ['Token secret', /must be "Authorization: Bearer <token>"/],
      ['Bearer sat_secret', /this static API token is unknown, revoked or expired, or not accepted/],
      ['Bearer secret', /^Invalid token$/],
    ] as const) {
      const { status, body, text } = await server.http.get('/whoami').set('Authorization', header);
      assert.deepEqual([status, body.code], [401, 'token_invalid']);
      assert.match(body.detail, told);
      assert.doesNotMatch(text, /secret|dXNl|eyJ/);
    }
  });

  it('say where a body stops being JSON, without its text', async () => {
    const broken = '{\n  "Name": secret\n}';
    const request = server.http.post('/greet').set('Content-Type', 'application/json');
    const { status, body } = await request.send(broken);
    const expected = [400, 'invalid_request', 'The request body is not valid JSON: see line 2, column 11'];
    assert.deepEqual([status, body.code, body.detail], expected);
  });
});
