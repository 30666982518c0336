import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { during, eventually, startTraceReceiver, type ReceivedSpan } from '@gatehouse/runtime/testing';
import { callAt, PASSWORD, startWorld } from '../testing/index.ts';

describe('traces of the whole system', function () {
  this.timeout(120_000);
  const system = during(() => startTracedSystem());
  const spansOf = (traceId: string) => system.receiver.spans.filter((span) => span.traceId === traceId);

  it('show an invitation as one trace, from its request to the mail server', async () => {
    const { world } = system;
    const { admin, adminUrl, baseUrl, seed } = world.stack.facts;
    const traceId = newTraceId();
    const email = world.someEmail();
    const login = async (base: string, { Email, Password }: { Email: string; Password: string }) => {
      const given = { body: { Username: Email, Password } };
      return String((await callIn(traceId, base, 'POST', '/account/login', given)).body['Token']);
    };
    const body = { Emails: [email], ContentDefinitionId: seed.contentDefinitionId };
    const token = await login(baseUrl, seed.user);
    const invited = await callIn(traceId, baseUrl, 'POST', '/account/invite-user', { token, body });
    assert.deepEqual([invited.status, invited.headers.get('x-trace-id')], [200, traceId]);
    const byAdmin = { token: await login(baseUrl, admin) };
    const found = await callIn(traceId, adminUrl, 'GET', `/admin/invitation?email=${email}`, byAdmin);
    assert.equal(found.status, 200, found.text);
    assert.equal((await world.latestMail(email)).headers['x-trace-id'], traceId);

    const isOver = () =>
      ['smtp', 'mail deliver'].every((name) => spansOf(traceId).some((s) => s.name === name));
    await eventually(async () => isOver() && spansOf(traceId).some(({ service }) => service === 'admin'), 20);
    const spans = spansOf(traceId);
    assert.ok(spans.length >= 7, `${spans.length} spans`);
    const services = [...new Set(spans.map(({ service }) => service))].toSorted();
    assert.deepEqual(services, ['admin', 'core', 'mail-worker', 'portal']);
    assert.ok(spans.some(({ service, name }) => service === 'core' && name === 'hash'));
    assertPath(spans);
  });

  it('include a mail that is created after the response', async () => {
    const email = await system.world.newAccount();
    const traceId = newTraceId();
    const { baseUrl } = system.world.stack.facts;
    const body = { Email: email };
    const { status } = await callIn(traceId, baseUrl, 'POST', '/account/forgot-password', { body });
    assert.equal(status, 200);
    await eventually(async () => spansOf(traceId).some(({ name }) => name === 'smtp'), 20);
    const isThere = () => ancestorsOf(spansOf(traceId)).length === 7;
    await eventually(async () => isThere(), 20);
    const path = ancestorsOf(spansOf(traceId)).map(({ service, name }) =>
      `${service}: ${name}`.replace(/^.*: outbox/, 'outbox'),
    );
    assert.deepEqual(path, [
      'mail-worker: smtp',
      'mail-worker: mail deliver',
      'outbox publish',
      'core: transaction',
      'core: mail request',
      'core: transaction',
      'core: POST /account/forgot-password',
    ]);
  });

  it('contain the code of a refusal, which is no error, but no personal data', async () => {
    const { receiver, world } = system;
    const canary = `canary${randomBytes(8).toString('hex')}`;
    const email = `${canary}@example.com`;
    const password = `${PASSWORD}${canary}`;
    await world.post('/account/register', { Email: email, Password: password });
    const code = await world.mailedCode(email);
    await world.post('/account/verify', { Email: email, Code: code });
    const { Token, RefreshToken } = await world.login(email, password);
    const traceId = newTraceId();
    const { baseUrl, urls } = world.stack.facts;
    const tries: [base: string, line: string, body?: object][] = [
      [baseUrl, 'POST /account/login', { Username: email, Password: canary }],
      [baseUrl, 'POST /account/verify', { Email: email, Code: canary }],
      [baseUrl, `GET /session?email=${email}`],
      [baseUrl, `GET /person/${canary}`],
      [baseUrl, 'POST /account/refresh-token', { Token, RefreshToken: canary }],
      [baseUrl, 'POST /account/forgot-password', { Email: email }],
      [baseUrl, 'GET /account/profile'],
      [baseUrl, 'POST /account/change-password', { OldPassword: canary, NewPassword: canary }],
      [baseUrl, 'POST /account/change-email', { Email: `x${email}`, Password: password }],
      [baseUrl, 'POST /account/ping'],
      // Sent directly to Core, because the gateway would already refuse an unknown path.
      [urls.core, `POST /${canary}?${canary}=${canary}`, { [canary]: canary }],
    ];
    for (const [base, line, body] of tries) {
      const [method = '', path = ''] = line.split(' ');
      await callIn(traceId, base, method, path, { token: Token, body });
    }
    const named = (name: string) => spansOf(traceId).find((span) => span.name === name);
    const unknown = await eventually(async () => named('smtp') && named('POST unknown'), 20);
    const secrets = [canary, Token, Token.split('.')[2] ?? '', RefreshToken, code, code.replace('-', '')];
    for (const span of receiver.spans) {
      const text = JSON.stringify(span);
      for (const secret of secrets) assert.ok(!text.includes(secret), text);
      assert.doesNotMatch(text, /@|eyJ/);
    }
    const refused = named('POST /account/login');
    assert.equal(refused?.isFault, false);
    assert.equal(refused.attributes['gatehouse.code'], 'authentication_failed');
    assert.equal(unknown.attributes['gatehouse.code'], 'not_found');
  });

  /** The spans from the mail server back to the gateway. Each is a child of the next. */
  function ancestorsOf(spans: ReceivedSpan[]): ReceivedSpan[] {
    const parentOf = ({ parentSpanId }: ReceivedSpan) => spans.find(({ spanId }) => spanId === parentSpanId);
    const path: ReceivedSpan[] = [];
    for (let at = spans.find(({ name }) => name === 'smtp'); at !== undefined; at = parentOf(at))
      path.push(at);
    return path;
  }

  function assertPath(spans: ReceivedSpan[]): void {
    const path = ancestorsOf(spans);
    const kinds = path.map(({ name, kind }) => [name, kind]);
    assert.deepEqual(kinds, [
      ['smtp', 3],
      ['mail deliver', 5],
      ['outbox publish', 4],
      ['transaction', 3],
      ['POST /account/invite-user', 2],
    ]);
    const [smtp, deliver, , transaction, request] = path.map(({ attributes }) => attributes);
    assert.equal(Number(smtp?.['gatehouse.smtp.reply_code']), 250);
    assert.equal(deliver?.['gatehouse.mail.result'], 'sent');
    assert.match(String(transaction?.['gatehouse.statements']), /insert invitation.*insert outbox/);
    const answered = [request?.['http.route'], Number(request?.['http.response.status_code'])];
    assert.deepEqual(answered, ['/account/invite-user', 200]);
    // The span id of the gateway, in the caller's trace.
    assert.match(path.at(-1)?.parentSpanId ?? '', /^(?!00f067aa0ba902b7)[0-9a-f]{16}$/);
    const redis = spans.find(({ name, service }) => name === 'redis' && service === 'portal');
    assert.equal(Number(redis?.attributes['db.operation.batch.size']), 1);
  }
});

async function startTracedSystem() {
  const receiver = await startTraceReceiver();
  const world = await startWorld({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  return {
    receiver,
    world,
    stop: async (): Promise<void> => {
      await world.stop();
      await receiver.stop();
    },
  };
}

function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

/** A request in a trace of the caller's, at the gateway or at a service. */
function callIn(
  traceId: string,
  base: string,
  method: string,
  path: string,
  given: { token?: string; body?: object | undefined },
) {
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-00` };
  return callAt(base, method, path, { ...given, headers });
}
