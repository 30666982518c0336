import assert from 'node:assert/strict';
import { Unavailable, Unstorable } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { accountCondition } from './refusals.ts';
import { defineSubjects } from './route.ts';
import { fakeAuth, startApi } from './testing/index.ts';

const routes = [
  defineSubjects<object>()({})('GET /fail/:how', {
    summary: 'Fails',
    access: 'public',
    params: { how: Type.String() },
    response: Type.Object({}),
    errors: ['account_disabled'],
    handler: ({ params, refuse }) => {
      if (params.how === 'down') throw new Unavailable('postgres', { retryAfterSeconds: 3 });
      if (params.how === 'disabled') throw accountCondition(refuse, 3);
      if (params.how === 'unstorable') throw new Unstorable('canary');
      throw new Error('canary: select * from account');
    },
  }),
];

describe('errors', () => {
  let server: Awaited<ReturnType<typeof startApi<object>>>;
  before(async () => {
    server = await startApi({ routes, deps: {}, auth: fakeAuth({}) });
  });
  after(() => server.stop());

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

  it('reports the condition of an account', async () => {
    const answer = await server.http.get('/fail/disabled');
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.LoginStatus],
      [403, 'account_disabled', 3],
    );
  });
});
