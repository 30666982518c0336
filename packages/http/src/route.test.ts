import assert from 'node:assert/strict';
import { Type, Uuid } from '@gatehouse/schema';
import { eventStream, form, ndjson, textAs } from './media-type.ts';
import { tooManyFailures } from './refusals.ts';
import { defineSubjects, reply, type SaysFreshProof } from './route.ts';
import { StreamWriter } from './stream/streams.ts';

const route = defineSubjects<{ count: number }>()({});
const strictRoute = defineSubjects<{ count: number }, SaysFreshProof>()({ access: ['Admin'] });
const common = { summary: 'X' } as const;
const open = { ...common, access: 'public' } as const;
const Person = Type.Object({ Id: Type.String(), Name: Type.String() });

describe('route', () => {
  it('does not compile if a route and its handler disagree, including refusals', () => {
    const disagreeing = [
      // @ts-expect-error -- nobody says who may call it
      route('GET /x', { ...common, response: Person, handler: async () => ({ Id: '', Name: '' }) }),
      // @ts-expect-error -- a field of the answer is missing
      route('GET /x', { ...open, response: Person, handler: async () => ({ Id: '' }) }),
      route('GET /x', {
        ...open,
        response: Person,
        // @ts-expect-error -- a field of the reply is missing
        handler: async () => reply({ body: { Id: '' } }),
      }),
      route('GET /x', {
        ...common,
        // @ts-expect-error -- there is no such role
        access: ['Root'],
        response: Person,
        handler: async () => ({ Id: '', Name: '' }),
      }),
      route('GET /x', {
        ...open,
        body: Type.Object({ Age: Type.Integer() }),
        response: Person,
        // @ts-expect-error -- a number is not text, and there is no caller to ask
        handler: async ({ body, caller }) => ({ Id: body.Age, Name: caller.role }),
      }),
      route('GET /x', {
        ...open,
        errors: ['not_found'],
        handler: ({ refuse }) => {
          // @ts-expect-error -- the route does not declare it
          throw refuse('name_taken');
        },
      }),
      route('GET /x', {
        ...open,
        handler: ({ refuse }) => {
          // @ts-expect-error -- on behalf of routes that declare it
          throw tooManyFailures(refuse, { retryAfterSeconds: 1 });
        },
      }),
      route('GET /x', {
        ...open,
        errors: ['not_found', 'too_many_requests'],
        handler: ({ refuse }) => {
          if (Math.random() > 2) throw tooManyFailures(refuse, { retryAfterSeconds: 1 });
          throw refuse(Math.random() > 1 ? 'invalid_request' : 'not_found');
        },
      }),
      route('GET /x', {
        ...common,
        access: 'bearer',
        response: Person,
        handler: async ({ deps, caller }) => ({ Id: caller.role, Name: String(deps.count) }),
      }),
      route('GET /x', {
        ...open,
        body: form({ Name: Type.String() }),
        response: Person,
        // @ts-expect-error -- the form has no such field
        handler: ({ body }) => ({ Id: body.Id, Name: body.Name }),
      }),
      route('GET /x', {
        ...open,
        body: ndjson(Person),
        response: Person,
        handler: async ({ body }) => {
          for await (const line of body) if (line.kind === 'value') return line.value;
          // @ts-expect-error -- the body is all lines, not one
          return { Id: body.Id, Name: '' };
        },
      }),
      // @ts-expect-error -- text is no stream
      route('GET /x', { ...open, response: eventStream(), handler: () => ': hello' }),
      route('GET /x', {
        ...open,
        response: textAs('text/css'),
        // @ts-expect-error -- and a stream is no text
        handler: () => new StreamWriter(() => {}),
      }),
    ];
    assert.equal(disagreeing.length, 13);
  });

  it('does not compile if it writes without saying whether it requires a fresh proof', () => {
    const write = { summary: 'X', handler: () => undefined };
    const routes = [
      // @ts-expect-error -- says nothing
      strictRoute('POST /x', write),
      // @ts-expect-error -- says no, but not why
      strictRoute('POST /x', { ...write, recent: false }),
      strictRoute('POST /x', { ...write, recent: true }),
      strictRoute('POST /x', { ...write, recent: { when: 'it is Monday' } }),
      strictRoute('POST /x', { ...write, recent: { never: 'it only says hello' } }),
      strictRoute('GET /x', write),
      strictRoute('POST /x', { ...write, access: 'public' }),
    ];
    const callers = routes.map(({ access }) => access);
    assert.deepEqual(callers, [...Array.from({ length: 6 }, () => ['Admin']), 'public']);
  });

  it('has the parameters of its path: UUIDs, or what it says of them', () => {
    const { method, path, params } = strictRoute('GET /x/:id/part/:number', {
      summary: 'X',
      params: { number: Type.Integer() },
      response: Person,
      // @ts-expect-error -- the path has no such parameter
      handler: ({ params: { id, number, name } }) => ({ Id: id, Name: `${number.toFixed()} ${name}` }),
    });
    assert.deepEqual([method, path], ['get', '/x/:id/part/:number']);
    assert.deepEqual(params, Type.Object({ id: Uuid(), number: Type.Integer() }));
  });
});
