import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Integers, Nullable, Type, type TSchema, Uuid } from '@gatehouse/schema';
import { openapi } from './openapi.ts';
import { pagingQuery } from '../request/paging.ts';
import { defineSubjects } from '../route.ts';
import { fakeAuth, startApi } from '../testing/index.ts';

const route = defineSubjects<object>()({});
const routes = [
  route('PUT /person/:id', {
    summary: 'Changes <a> person',
    access: ['User', 'Admin'],
    query: Type.Object({ limit: Type.Optional(Type.Integer({ maximum: 200 })) }),
    body: Type.Object({ Name: Type.String(), Notes: Type.Optional(Type.String()) }),
    response: Type.Object({ Id: Uuid(), Kind: Integers({ Good: 1, Bad: 2 }) }),
    status: { 200: 'Success', 303: 'Elsewhere' },
    errors: ['name_taken'],
    handler: async ({ params }) => ({ Id: params.id, Kind: 1 as const }),
  }),
  route('GET /ping', {
    summary: 'Pong',
    access: 'public',
    response: Type.Union([Type.Literal('Pong'), Type.Record(Type.String(), Type.String())]),
    handler: async () => 'Pong' as const,
  }),
];

describe('openapi', () => {
  type Document = ReturnType<typeof openapi>;
  const document = JSON.parse(JSON.stringify(openapi({ title: 'T', version: '1', routes }))) as Document;

  it('describes a route by the schemas that check it', () => {
    const operation = document.paths['/person/{id}']?.['put'];
    assert.equal(operation?.operationId, 'putPersonId');
    assert.deepEqual(operation.security, [{ bearer: [] }]);
    const parameters = operation.parameters?.map(({ name, in: place, required }) => [name, place, required]);
    assert.deepEqual(parameters, [
      ['id', 'path', true],
      ['limit', 'query', false],
    ]);
    const body = operation.requestBody?.content['application/json'];
    assert.deepEqual(body?.schema, { $ref: '#/components/schemas/PutPersonIdRequest' });
    const checked = JSON.parse(JSON.stringify(routes[0]?.body));
    assert.deepEqual(document.components.schemas['PutPersonIdRequest'], checked);
    assert.deepEqual(body?.example, { Name: 'Ann Lee', Notes: 'Works in the east building' });
    const statuses = ['200', '303', '400', '401', '403', '408', '409', '413', '415', '431', '500', '503'];
    assert.deepEqual(Object.keys(operation.responses), [...statuses, 'default']);
    assert.equal(operation.responses['303']?.content, undefined);
    assert.deepEqual(operation.responses['503'], { $ref: '#/components/responses/unavailable' });
    const { headers } = document.components.responses['unavailable'] ?? {};
    assert.deepEqual(Object.keys(headers ?? {}), ['Retry-After', 'X-Trace-Id']);
  });

  it('does not require query parameters with a default, and describes which go together', () => {
    const listed = route('GET /thing', {
      operationId: 'listThings',
      tag: 'Things',
      summary: 'Things',
      access: 'public',
      query: Type.Object(pagingQuery()),
      handler: async () => undefined,
    });
    const chosen = route('POST /thing', {
      summary: 'Choose',
      access: 'public',
      body: Type.Object(
        { Id: Type.Optional(Uuid()), Name: Type.Optional(Type.String()), Why: Type.Optional(Type.String()) },
        { title: 'Choice', oneOfFields: { ById: ['Id'], ByName: ['Name', 'Id?'] } },
      ),
      handler: async () => undefined,
    });
    const { paths, components } = openapi({ title: 'T', version: '1', routes: [listed, chosen] });
    const { get, post } = paths['/thing'] ?? {};
    assert.deepEqual([get?.operationId, get?.tags], ['listThings', ['Things']]);
    const needed = get?.parameters?.map(({ required }) => required);
    assert.deepEqual(needed, [false, false]);
    assert.equal(post?.requestBody?.required, true);
    assert.deepEqual(components.schemas['Choice'], {
      oneOf: [{ $ref: '#/components/schemas/ChoiceById' }, { $ref: '#/components/schemas/ChoiceByName' }],
    });
    const fieldsOf = (form: string) => {
      const { properties, required } = components.schemas[form] as { properties: object; required: string[] };
      return [Object.keys(properties), required];
    };
    assert.deepEqual(fieldsOf('ChoiceById'), [['Id', 'Why'], ['Id']]);
    assert.deepEqual(fieldsOf('ChoiceByName'), [['Id', 'Name', 'Why'], ['Name']]);
    const example = post?.requestBody?.content['application/json']?.example;
    assert.deepEqual(Object.keys(example as object), ['Id', 'Why']);
  });

  it('names every object, and writes records and nullable types for generators', () => {
    const thing = (options?: { title: string }) => Type.Object({ Size: Type.Integer() }, options);
    const answering = (inner: TSchema) =>
      route('GET /thing', {
        operationId: 'getThing',
        summary: 'X',
        access: 'public',
        response: Type.Object({ Inner: inner, Labels: Type.Record(Type.String(), Type.Boolean()) }),
        handler: async () => ({ Inner: null, Labels: {} }),
      });
    const schemasOf = (inner: TSchema): object =>
      openapi({ title: 'T', version: '1', routes: [answering(inner)] }).components.schemas;
    const nullable = Nullable(thing({ title: 'Thing' }));
    const { GetThingResponse, Thing } = schemasOf(nullable) as Record<string, object>;
    assert.deepEqual(Reflect.get(GetThingResponse ?? {}, 'properties'), {
      Inner: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
      Labels: { type: 'object', additionalProperties: { type: 'boolean' } },
    });
    assert.deepEqual(Thing, {
      type: 'object',
      required: ['Size'],
      properties: { Size: { type: 'integer' } },
    });
    const numbered = schemasOf(Integers({ Good: 1, Bad: 2 }, 'Kind')) as Record<string, object>;
    assert.deepEqual(numbered['Kind'], { enum: [1, 2], type: 'integer', description: '1 Good, 2 Bad' });
    assert.deepEqual(Reflect.get(numbered['GetThingResponse'] ?? {}, 'properties'), {
      Inner: { $ref: '#/components/schemas/Kind' },
      Labels: { type: 'object', additionalProperties: { type: 'boolean' } },
    });
    for (const [inner, place] of [
      [thing(), 'GetThingResponse.Inner'],
      [Nullable(thing()), 'GetThingResponse.Inner'],
      [Type.Array(thing()), 'GetThingResponse.Inner.items'],
      [Type.Union([Type.Null(), thing()]), 'GetThingResponse.Inner.1'],
    ] as const) {
      assert.throws(() => schemasOf(inner), {
        message: `the schema of ${place} is an object without a name: give it a title`,
      });
    }
  });

  it('refuses two schemas with one name', () => {
    const named = (path: 'a' | 'b', field: string) =>
      route(`GET /${path}`, {
        summary: 'X',
        access: 'public',
        response: Type.Object({ [field]: Type.String() }, { title: 'Thing' }),
        handler: async () => ({ [field]: '' }),
      });
    const twice = [named('a', 'One'), named('b', 'Two')];
    const naming = () => openapi({ title: 'T', version: '1', routes: twice });
    assert.throws(naming, /two schemas have the name Thing/);
  });

  it('distinguishes text from JSON responses', () => {
    const answer = document.paths['/ping']?.['get']?.responses['200'];
    assert.deepEqual(Object.keys(answer?.content ?? {}), ['text/plain; charset=utf-8', 'application/json']);
    assert.deepEqual(document.paths['/ping']?.['get']?.security, []);
  });
});

describe('the documents of a service', () => {
  it('are public: as JSON, and as a sandboxed page with one script and one typeface', async () => {
    const server = await startApi({ routes, deps: {}, auth: fakeAuth({}) });
    const json = await server.http.get('/openapi.json');
    assert.deepEqual([json.status, json.body.openapi], [200, '3.1.0']);
    assert.deepEqual(Object.keys(json.body.paths), ['/person/{id}', '/ping']);
    const page = await server.http.get('/docs');
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
    const [, data = ''] =
      /<script type="application\/json" id="document">([^]*?)<\/script>/.exec(page.text) ?? [];
    assert.deepEqual(JSON.parse(data), json.body);
    assert.doesNotMatch(data, /</);
    const [, address = ''] = /<script src="(\/docs\/scalar-[0-9a-f]{16}\.js)">/.exec(page.text) ?? [];
    const script = await server.http.get(address);
    const served = [script.status, script.headers['content-type']];
    assert.deepEqual(served, [200, 'text/javascript; charset=utf-8']);
    assert.match(script.headers['cache-control'] ?? '', /immutable/);
    const [, typeface = ''] = /src: url\((\/docs\/inter-[0-9a-f]{16}\.woff2)\)/.exec(page.text) ?? [];
    const font = await server.http.get(typeface);
    assert.deepEqual([font.status, font.headers['content-type']], [200, 'font/woff2']);
    assert.equal(font.body.subarray(0, 4).toString(), 'wOF2');
    // A sandboxed page has another origin than its font, and fonts are loaded with CORS.
    assert.equal(font.headers['access-control-allow-origin'], '*');
    for (const other of ['/docs/scalar.js', '/docs/..%2f..%2fdocs.ts', '/docs/docs.ts', '/docs/'])
      assert.equal((await server.http.get(other)).status, 404, other);
    await server.stop();
  });

  it('have a CSP that isolates the page, with a hash for each script and style', async () => {
    const server = await startApi({ routes, deps: {}, auth: fakeAuth({}) });
    const { text, headers } = await server.http.get('/docs');
    const policy = headers['content-security-policy'] ?? '';
    assert.match(policy, /^sandbox allow-scripts allow-popups; default-src 'none'; script-src 'self' /);
    assert.doesNotMatch(policy, /unsafe|allow-same-origin|connect-src|\*/);
    const inline = [...text.matchAll(/<(?:script|style)>([^]*?)<\/(?:script|style)>/g)];
    assert.equal(inline.length, 3);
    for (const [, content = ''] of inline)
      assert.ok(policy.includes(`'sha256-${createHash('sha256').update(content).digest('base64')}'`));
    await server.stop();
  });
});
