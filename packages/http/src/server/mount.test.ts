import assert from 'node:assert/strict';
import { during } from '@gatehouse/runtime/testing';
import { Type, Uuid } from '@gatehouse/schema';
import { defineSubjects, type Route } from '../route.ts';
import { fakeAuth, startApi } from '../testing/index.ts';

const route = defineSubjects<object>()({});
const auth = fakeAuth({});

const open = { summary: 'For tests', access: 'public' } as const;
const thing = { ...open, response: Type.Object({ Id: Uuid() }) };

const routes: Route<object>[] = [
  route('GET /thing/:id', { ...thing, handler: async ({ params }) => ({ Id: params.id }) }),
  route('PUT /thing/:id', { ...thing, handler: async ({ params }) => ({ Id: params.id }) }),
  route('GET /thing/newest', {
    ...open,
    response: Type.Literal('newest'),
    handler: async () => 'newest' as const,
  }),
  route('GET /thing/:id/:part', {
    ...open,
    params: { part: Type.String() },
    response: Type.String(),
    handler: async ({ params }) => params.part,
  }),
  route('POST /thing/:id/part', { ...open, handler: async () => undefined }),
  route('GET /about', { ...open, response: Type.Literal('Pong'), handler: async () => 'Pong' as const }),
];

describe('mount', () => {
  const server = during(() => startApi({ routes, deps: {}, auth }));
  const id = '0190c2e6-0000-7000-8000-000000000000';

  it('prefers a fixed path to a pattern', async () =>
    assert.equal((await server.http.get('/thing/newest')).text, 'newest'));

  it('responds to invalid encodings with 400', async () => {
    for (const odd of ['%', '%zz', '%ff', '%00', 'a%2Fb', '%E0%A4%A'])
      assert.equal((await server.http.get(`/thing/${odd}`)).status, 400, odd);
    for (const query of ['?%', '?a=%zz', '?__proto__=1', '?a=1&a=2&constructor=3'])
      assert.equal((await server.http.put(`/thing/${id}${query}`)).status, 400, query);
  });

  it('lists the allowed methods for a wrong one, and HEAD is GET without the body', async () => {
    const answer = await server.http.patch(`/thing/${id}`);
    assert.deepEqual([answer.status, answer.body.code], [405, 'method_not_allowed']);
    assert.equal(answer.headers['allow'], 'GET, HEAD, OPTIONS, PUT');
    const both = await server.http.delete('/thing/newest?x');
    assert.deepEqual([both.status, both.headers['allow']], [405, 'GET, HEAD, OPTIONS']);
    assert.equal((await server.http.post('/about?x')).headers['allow'], 'GET, HEAD, OPTIONS');
    for (const path of ['/thing/newest', `/thing/${id}`]) {
      const get = await server.http.get(path);
      const head = await server.http.head(path);
      assert.equal(head.status, 200);
      assert.equal(head.headers['content-length'], get.headers['content-length']);
    }
    const options = await server.http.options('/about');
    assert.deepEqual([options.status, options.headers['allow']], [204, 'GET, HEAD, OPTIONS']);
    assert.equal((await server.http.options('/nothing')).status, 404);
  });

  it('does not match a fixed segment as the parameter of another path, with any method', async () => {
    for (const [method, path, allow] of [
      ['put', '/thing/newest', 'GET, HEAD, OPTIONS'],
      ['get', `/thing/${id}/part`, 'OPTIONS, POST'],
      ['patch', `/thing/${id}/part`, 'OPTIONS, POST'],
      ['post', `/thing/${id}/other`, 'GET, HEAD, OPTIONS'],
    ] as const) {
      const { status, headers } = await server.http[method](path);
      assert.deepEqual([status, headers['allow']], [405, allow], `${method} ${path}`);
    }
    assert.equal((await server.http.get(`/thing/${id}/other`)).text, 'other');
    assert.equal((await server.http.post(`/thing/${id}/part`)).status, 204);
  });

  it('refuses a route without an access rule at startup', async () => {
    for (const access of [undefined, [], 'everyone']) {
      const unclear = { ...routes[0], access } as unknown as Route<object>;
      await assert.rejects(startApi({ routes: [unclear], deps: {}, auth }), /who may call/);
    }
  });

  it('refuses two routes for one path, or unchecked parameters, at startup', async () => {
    const twice = [routes[0], routes[0]] as Route<object>[];
    await assert.rejects(startApi({ routes: twice, deps: {}, auth }), /two routes/);
    const { params: _, ...unchecked } = routes[0] as Route<object>;
    await assert.rejects(startApi({ routes: [unchecked], deps: {}, auth }), /disagree/);
  });
});
