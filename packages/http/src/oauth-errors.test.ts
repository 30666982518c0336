import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { Type } from '@gatehouse/schema';
import { ERRORS } from './errors.ts';
import { openapi } from './openapi/openapi.ts';
import { form as formOf } from './media-type.ts';
import { defineSubjects } from './route.ts';
import { fakeAuth, startApi } from './testing/index.ts';

const CODES = ['invalid_grant', 'invalid_client', 'insufficient_scope', 'too_many_requests'] as const;

const endpoint = defineSubjects<object>()({})('POST /oauth/something', {
  tag: 'OAuth',
  summary: 'Refuses everything',
  access: 'public',
  rules: { cors: 'any', errors: 'oauth' },
  errors: CODES,
  body: formOf({ code: Type.String({ maxLength: 30 }) }),
  handler: ({ body: { code }, refuse }) => {
    const known = CODES.find((one) => one === code);
    if (known !== undefined) throw refuse(known, 'it is “used”', { retryAfterSeconds: 2 });
    throw code === 'down' ? refuse('unavailable') : new Error('secret');
  },
});

describe('an OAuth endpoint', () => {
  const corsOrigins = 'https://app.example.com';
  const server = during(() => startApi({ routes: [endpoint], deps: {}, auth: fakeAuth({}), corsOrigins }));
  const refusal = (code: string) => server.http.post('/oauth/something').type('form').send({ code });

  it('refuses in the form, the names and the characters of RFC 6749', async () => {
    const challenge = 'Bearer realm="gatehouse"';
    const cases = [
      ['invalid_grant', 400, 'invalid_grant', undefined],
      ['invalid_client', 401, 'invalid_client', 'Basic realm="gatehouse"'],
      ['insufficient_scope', 403, 'insufficient_scope', `${challenge}, error="insufficient_scope"`],
      ['too_many_requests', 429, 'temporarily_unavailable', undefined],
      ['down', 503, 'temporarily_unavailable', undefined],
      ['bug', 500, 'server_error', undefined],
    ] as const;
    for (const [code, status, error, header] of cases) {
      const { body, headers, type } = await refusal(code).expect(status);
      assert.equal(type, 'application/json');
      assert.deepEqual([Object.keys(body as object), body.error], [['error', 'error_description'], error]);
      assert.match(body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      assert.deepEqual([headers['www-authenticate'], headers['cache-control']], [header, 'no-store']);
    }
    assert.equal((await refusal('invalid_grant')).body.error_description, "it is 'used'");
    const form = server.http.post('/oauth/something').type('form');
    const { body } = await form.send('code=a&code=b').expect(400);
    assert.equal(body.error, 'invalid_request');
    assert.match(body.error_description, /a field twice/);
    const noText = server.http
      .post('/oauth/something')
      .type('form')
      .serialize((bytes) => bytes);
    assert.match(
      (await noText.send(Buffer.from('code=\xff', 'latin1')).expect(400)).body.error_description,
      /not valid UTF-8/,
    );
  });

  it('can be called by pages of every origin, if it says so, also where it refuses', async () => {
    for (const origin of ['https://spa.example.com', 'null', 'https://app.example.com']) {
      const preflight = await server.http.options('/oauth/something').set('Origin', origin);
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers['access-control-allow-methods'], 'OPTIONS, POST');
      const allowed = preflight.headers['access-control-allow-headers'];
      assert.equal(allowed, 'Authorization, Content-Type, If-Match');
      for (const headers of [preflight.headers, (await refusal('down').set('Origin', origin)).headers]) {
        assert.equal(headers['access-control-allow-origin'], '*');
        assert.equal(headers['access-control-allow-credentials'], undefined);
      }
    }
  });

  it('is documented with these errors', () => {
    const document = openapi({ title: 'Test', version: '1', description: '', routes: [endpoint] });
    const text = JSON.stringify(document);
    assert.match(text, /"#\/components\/schemas\/OAuthError"/);
    assert.match(text, /`temporarily_unavailable`: Too many requests/);
    assert.ok(text.includes(ERRORS.invalid_client.title));
  });
});
