import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { during } from '@gatehouse/runtime/testing';
import { fakeAuth, startApi } from '../testing/index.ts';
import { auth, routes, USER } from '../testing/served-routes.ts';

describe('serve', () => {
  const server = during(() => startApi({ routes, deps: { greeting: 'Hello' }, auth }));
  const id = '0190c2e6-0000-7000-8000-000000000000';

  it('refuses a caller who lost access while the body was received', async () => {
    const tokens: Parameters<typeof fakeAuth>[0] = { leaving: USER, staying: USER };
    const slow = await startApi({ routes, deps: { greeting: 'Hello' }, auth: fakeAuth(tokens) });
    const send = async (token: string): Promise<string> => {
      const socket = connect(slow.port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      const head = `POST /note HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`;
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{`);
      await sleep(400);
      if (token === 'leaving') tokens[token] = { caller: USER, refused: 'session_deactivated' };
      socket.write('"Note":"x"}');
      await once(socket, 'close');
      return answer;
    };
    const [left, stayed] = await Promise.all([send('leaving'), send('staying')]);
    assert.match(left, /^HTTP\/1.1 401 [^]*session_deactivated/);
    assert.match(stayed, /^HTTP\/1.1 204 /);
    await slow.stop();
  });

  it('passes validated input to the handler and sends its result as JSON', async () => {
    const answer = await server.http.post('/greet?times=2').send({ Name: 'Ann', Role: 'Admin' });
    assert.deepEqual([answer.status, answer.body], [200, { Greeting: 'Hello AnnHello Ann' }]);
    assert.equal(answer.headers['content-type'], 'application/json');
  });

  it('sends the standard headers, and no product headers', async () => {
    const { headers } = await server.http.post('/greet').send({ Name: 'Ann' });
    assert.deepEqual([headers['cache-control'], headers['x-content-type-options']], ['no-store', 'nosniff']);
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(headers['strict-transport-security'], undefined);
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'/);
    for (const name of ['x-powered-by', 'etag', 'server', 'vary', 'access-control-allow-origin'])
      assert.equal(headers[name], undefined, name);
  });

  it('tells browsers to stay with TLS where it is reached over https, in errors too', async () => {
    const publicUrl = 'https://auth.example.com';
    const secure = await startApi({ routes, deps: { greeting: 'Hello' }, auth, publicUrl });
    for (const path of ['/greet', '/nowhere']) {
      const { headers } = await secure.http.post(path).send({ Name: 'Ann' });
      assert.equal(headers['strict-transport-security'], 'max-age=31536000');
    }
    await secure.stop();
  });

  it('names every field at fault, in body, query and path', async () => {
    const body = await server.http.post('/greet').send({ Name: 'too long' });
    assert.equal(body.status, 400);
    assert.equal(body.headers['content-type'], 'application/problem+json');
    assert.equal(body.body.type, 'urn:gatehouse:problem:invalid_request');
    assert.equal(body.body.traceId, body.headers['x-trace-id']);
    const error = { pointer: '/Name', message: 'must have at most 5 characters', code: 'too_long' };
    assert.deepEqual(body.body.errors, [error]);
    const query = await server.http.post('/greet?times=4&times=5').send({ Name: 'Ann' });
    assert.equal(query.body.errors[0].pointer, '/query/times');
    const path = await server.http.put('/thing/7');
    assert.deepEqual([path.status, path.body.errors[0].pointer], [400, '/path/id']);
  });

  it('refuses unknown query parameters', async () => {
    for (const [path, pointer] of [
      ['/greet?times=2&other=1', '/query/other'],
      ['/greet?Times=2', '/query/Times'],
      ['/greet?__proto__=2', '/query/__proto__'],
      ['/greet?times', '/query/times'],
    ] as const) {
      const { status, body } = await server.http.post(path).send({ Name: 'Ann' });
      assert.deepEqual([status, body.errors[0].pointer], [400, pointer], path);
    }
    const none = await server.http.get('/whoami?x=1').set('Authorization', 'Bearer user');
    const expected = [400, [{ pointer: '/query/x', message: 'is not a known field', code: 'unknown_field' }]];
    assert.deepEqual([none.status, none.body.errors], expected);
    assert.equal((await server.http.get('/whoami?').set('Authorization', 'Bearer user')).status, 200);
    assert.equal((await server.http.get('/whoami?x=1')).status, 401);
  });

  it('ignores unknown query parameters if the route says so, and for public documents', async () => {
    assert.equal((await server.http.get('/openapi.json?v=1')).status, 200);
    assert.equal((await server.http.get('/open?x=1&known=2')).body.Known, 2);
    assert.equal((await server.http.get('/open?known=x')).status, 400);
  });

  it('drops unknown fields of a body, or refuses them if configured', async () => {
    const body = { Name: 'Ann', name: 'Ann' };
    assert.equal((await server.http.post('/greet').send(body)).status, 200);
    const deps = { greeting: 'Hello' };
    const strict = await startApi({ routes, deps, auth, unknownFields: 'refuse' });
    const { status, body: problem } = await strict.http.post('/greet').send(body);
    const told = [status, problem.errors[0].pointer, problem.errors[0].code];
    assert.deepEqual(told, [400, '/name', 'unknown_field']);
    await strict.stop();
  });

  it('repeats the error code in a header if the route names one', async () => {
    for (const [token, code] of [
      [undefined, 'token_missing'],
      ['x', 'token_invalid'],
      ['ended', 'session_replaced'],
    ]) {
      const call = server.http.get('/coded');
      const answer = await (token === undefined ? call : call.set('Authorization', `Bearer ${token}`));
      assert.deepEqual([answer.body.code, answer.headers['x-code']], [code, code]);
    }
    const good = await server.http.get('/coded').set('Authorization', 'Bearer user');
    assert.deepEqual([good.status, good.headers['x-code']], [200, undefined]);
    assert.equal((await server.http.get('/whoami')).headers['x-code'], undefined);
  });

  it('sends WWW-Authenticate by RFC 6750 for missing and invalid tokens', async () => {
    const missing = await server.http.get('/whoami');
    assert.deepEqual([missing.status, missing.body.code], [401, 'token_missing']);
    assert.equal(missing.headers['www-authenticate'], 'Bearer realm="gatehouse"');
    const wrong = await server.http.get('/whoami').set('Authorization', 'Bearer x');
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'token_invalid']);
    const challenge = 'Bearer realm="gatehouse", error="invalid_token", error_description="Invalid token"';
    assert.equal(wrong.headers['www-authenticate'], challenge);
  });

  it('checks the token before it reads the body', async () => {
    assert.equal((await server.http.post('/note').set('Content-Type', 'text/plain').send('x')).status, 401);
    const known = await server.http.post('/note').set('Authorization', 'Bearer user').send({ Note: 1 });
    assert.equal(known.status, 400);
  });

  it('sends the status and headers of a reply, over the standard ones', async () => {
    const answer = await server.http.put(`/thing/${id}`);
    assert.deepEqual([answer.status, answer.headers['location']], [201, '/x']);
    assert.equal(answer.headers['cache-control'], 'private');
    const deleted = await server.http.delete(`/thing/${id}`);
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    assert.equal(deleted.headers['content-type'], undefined);
    assert.equal(deleted.headers['cache-control'], 'no-store');
  });

  it('sends no response that its route does not declare', async () => {
    for (const path of ['/leak', '/odd-status']) {
      const answer = await server.http.get(path);
      assert.deepEqual([answer.status, answer.body.code], [500, 'internal_error'], path);
      assert.doesNotMatch(answer.text, /canary|PasswordHash|schema/);
    }
    server.log.flush();
    assert.ok(server.log.lines.some((line) => line['level'] === 'error' && line['route'] === '/leak'));
  });

  it('hides internal errors from clients, and logs them', async () => {
    const answer = await server.http.get('/fail/bug');
    assert.deepEqual([answer.status, answer.body.code], [500, 'internal_error']);
    assert.doesNotMatch(answer.text, /canary|select|Error|\.ts/);
    server.log.flush();
    const line = server.log.lines.find((one) => one['traceId'] === answer.body.traceId);
    assert.match(JSON.stringify(line), /canary: select/);
    const unstorable = await server.http.get('/fail/unstorable');
    assert.deepEqual([unstorable.status, unstorable.text.includes('canary')], [400, false]);
  });

  it('responds with 503 and Retry-After while a dependency is down', async () => {
    const answer = await server.http.get('/fail/down');
    assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable']);
    assert.equal(answer.headers['retry-after'], '3');
    assert.doesNotMatch(answer.text, /postgres/);
  });
});
