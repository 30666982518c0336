import assert from 'node:assert/strict';
import type { Caller } from '@gatehouse/auth-core';
import { Unavailable, Unstorable } from '@gatehouse/runtime';
import { Type, Uuid } from '@gatehouse/schema';
import { defineSubjects, reply } from '../route.ts';
import { openQuery } from '../server/prepare.ts';
import { fakeAuth } from './index.ts';

export const USER: Caller = {
  ...{ kind: 'session', accountId: 'a-1', sessionId: 's-1', role: 'User' },
  ...{ via: 'bearer', tokenId: 'a', tokenExpiresAt: 1 },
};
export const auth = fakeAuth({
  user: USER,
  ended: { caller: USER, refused: 'session_replaced' },
});

const route = defineSubjects<{ greeting: string }>()({});
const open = { summary: 'For tests', access: 'public' } as const;

export const routes = [
  route('POST /note', {
    summary: 'Takes a note',
    access: 'bearer',
    body: Type.Object({ Note: Type.String() }),
    handler: async () => undefined,
  }),
  route('POST /greet', {
    ...open,
    body: Type.Object({ Name: Type.String({ maxLength: 5 }) }),
    query: Type.Object({ times: Type.Optional(Type.Integer({ maximum: 3 })) }),
    response: Type.Object({ Greeting: Type.String() }),
    handler: ({ body, query, deps, caller }) => {
      assert.equal(caller, null);
      return { Greeting: `${deps.greeting} ${body.Name}`.repeat(query.times ?? 1) };
    },
  }),
  route('GET /whoami', {
    summary: 'Tells the caller who it is',
    access: 'bearer',
    response: Type.Object({ Role: Type.String() }),
    handler: async ({ caller }) => ({ Role: caller.role }),
  }),
  route('GET /open', {
    ...open,
    query: openQuery({ known: Type.Optional(Type.Integer()) }),
    response: Type.Object({ Known: Type.Integer() }),
    handler: ({ query }) => ({ Known: query.known ?? 0 }),
  }),
  route('GET /coded', {
    summary: 'Tells its refusals in a header',
    access: 'bearer',
    rules: { codeHeader: 'X-Code' },
    response: Type.Object({}),
    handler: () => ({}),
  }),
  route('PUT /thing/:id', {
    ...open,
    response: Type.Object({ Id: Uuid() }),
    status: { 201: 'Made', 303: 'Elsewhere' },
    handler: async ({ params: { id } }) =>
      reply({ status: 201, headers: { Location: '/x', 'cache-control': 'private' }, body: { Id: id } }),
  }),
  route('DELETE /thing/:id', { ...open, handler: async () => undefined }),
  route('GET /leak', {
    ...open,
    response: Type.Object({ Id: Type.String() }),
    handler: async () => {
      const row = { Id: '1', PasswordHash: 'canary' };
      return row;
    },
  }),
  route('GET /odd-status', {
    ...open,
    response: Type.Object({}),
    handler: async () => reply({ status: 202, body: {} }),
  }),
  route('GET /fail/:how', {
    ...open,
    params: { how: Type.String() },
    response: Type.Object({}),
    handler: ({ params }) => {
      if (params.how === 'down') throw new Unavailable('postgres', { retryAfterSeconds: 3 });
      if (params.how === 'unstorable') throw new Unstorable('canary');
      throw new Error('canary: select * from account');
    },
  }),
];
