import assert from 'node:assert/strict';
import type { Schema as JsonSchema } from '../openapi/client-operations.ts';
import { breaksBetween, mayBreak, readSurface, surfaceText, type Surface } from './surface.ts';
import { readFileSync } from 'node:fs';
import { ROOT } from '../write-generated.ts';

function surface(): Surface {
  const login: JsonSchema = {
    type: 'object',
    required: ['Username'],
    properties: { Username: { type: 'string' }, Status: { enum: [1, 2], type: 'integer' } },
  };
  const tokens: JsonSchema = {
    type: 'object',
    required: ['Token'],
    properties: { Token: { type: 'string' }, Next: { $ref: '#/components/schemas/Tokens' } },
  };
  const problem: JsonSchema = { type: 'object', properties: { code: { type: 'string', enum: ['a', 'b'] } } };
  const json = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  return {
    version: '1.2.3',
    api: {
      paths: {
        '/login': {
          post: {
            operationId: 'login',
            parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
            requestBody: { required: true, ...json('Login') },
            responses: { '200': json('Tokens'), '400': { $ref: '#/components/responses/refused' } },
          },
        },
      },
      components: {
        schemas: { Login: login, Tokens: tokens, Problem: problem },
        responses: { refused: json('Problem') },
      },
    },
    events: { 'account.made': ['UserId', 'Email?'] },
    settings: { ISSUER: 'required', PORT: '8081' },
    metrics: { logins_total: ['result'] },
  };
}

type Change = (after: Surface) => unknown;
const operation = ({ api }: Surface) => {
  const found = api.paths['/login']?.['post'];
  assert.ok(found);
  return found;
};
const schema = ({ api }: Surface, name: string): JsonSchema => {
  const found = api.components.schemas[name];
  assert.ok(found?.properties);
  return found;
};

const field = (of: Surface, name: string, key: string): JsonSchema =>
  schema(of, name).properties?.[key] ?? {};
const parameter = { name: 'a', in: 'query', schema: { type: 'string' } };
const nullable = { type: ['string', 'null'] };

const BREAKS: Record<string, [what: string, change: Change]> = {
  'POST /login: removed': ['a removed path', ({ api }) => Reflect.deleteProperty(api.paths, '/login')],
  'Tokens.Token: removed': [
    'a removed field of an answer',
    (after) => Reflect.deleteProperty(schema(after, 'Tokens').properties ?? {}, 'Token'),
  ],
  'Problem.code: value "b" removed': ['a removed error code', (after) => codes(after).pop()],
  'Login.Status: value 1 removed': [
    'a removed value of an enumeration',
    (after) => field(after, 'Login', 'Status').enum?.shift(),
  ],
  'Login.Status: now required': [
    'a new required field of a request',
    (after) => schema(after, 'Login').required?.push('Status'),
  ],
  'POST /login: query a now required': [
    'a new required parameter',
    (after) => operation(after).parameters?.push({ ...parameter, required: true }),
  ],
  'event account.made: UserId no longer always there': [
    'a field of an event that is no longer always there',
    ({ events }) => Object.assign(events, { 'account.made': ['UserId?', 'Email?'] }),
  ],
  'Tokens.Token: its type was string and is string or null': [
    'a field of an answer that may be null',
    (after) => Object.assign(field(after, 'Tokens', 'Token'), nullable),
  ],
  'setting KEY: now required': [
    'a new setting that must be set',
    ({ settings }) => Object.assign(settings, { KEY: 'required' }),
  ],
  'setting PORT: removed': ['a removed setting', ({ settings }) => Reflect.deleteProperty(settings, 'PORT')],
  'metric logins_total: result removed': [
    'a removed label of a metric',
    ({ metrics }) => Object.assign(metrics, { logins_total: [] }),
  ],
};

const ADDITIONS: Record<string, Change> = {
  'a new path': ({ api }) => Object.assign(api.paths, { '/logout': api.paths['/login'] }),
  'a new field of an answer': (after) => add(after, 'Tokens'),
  'a new optional field of a request': (after) => add(after, 'Login'),
  'a field of a request that may be null': (after) =>
    Object.assign(field(after, 'Login', 'Username'), nullable),
  'a new error code': (after) => codes(after).push('c'),
  'a new value of an enumeration': (after) => field(after, 'Login', 'Status').enum?.push(3),
  'a new optional parameter': (after) => operation(after).parameters?.push(parameter),
  'an event and a field that are new': ({ events }) =>
    Object.assign(events, { 'account.made': ['UserId', 'Email', 'At'], 'account.gone': [] }),
  'a new optional setting': ({ settings }) => Object.assign(settings, { COLOUR: 'none' }),
  'a new metric and label': ({ metrics }) =>
    Object.assign(metrics, { pings: [], logins_total: ['result', 'at'] }),
};

function codes(of: Surface): unknown[] {
  return schema(of, 'Problem').properties?.['code']?.enum ?? [];
}

function add(to: Surface, name: string): void {
  Object.assign(schema(to, name).properties ?? {}, { Added: { type: 'string' } });
}

describe('breaksBetween', () => {
  for (const [message, [what, change]] of Object.entries(BREAKS))
    it(`reports ${what}`, () => {
      const after = surface();
      change(after);
      assert.deepEqual(breaksBetween(surface(), after), [message]);
    });

  for (const [what, change] of Object.entries(ADDITIONS))
    it(`accepts ${what}`, () => {
      const after = surface();
      change(after);
      assert.notDeepEqual(after, surface());
      assert.deepEqual(breaksBetween(surface(), after), []);
    });

  it('reads the whole surface of this repository', () => {
    const read = () => readSurface((path) => readFileSync(new URL(path, ROOT), 'utf8'));
    const real = read();
    const nothing = { ...real, api: { ...real.api, paths: {} }, events: {}, settings: {}, metrics: {} };
    const breaks = breaksBetween(real, nothing).join('\n');
    assert.match(breaks, /POST \/account\/login: removed/);
    for (const kind of ['event', 'setting', 'metric']) assert.match(breaks, new RegExp(`^${kind} `, 'm'));
    assert.deepEqual(breaksBetween(real, read()), []);
    const stored = JSON.parse(surfaceText(real)) as Surface;
    assert.deepEqual(breaksBetween(stored, nothing), breaksBetween(real, nothing));
    assert.deepEqual(breaksBetween(nothing, stored), breaksBetween(nothing, real));
    assert.deepEqual([breaksBetween(stored, real), breaksBetween(real, stored)], [[], []]);
  });
});

describe('mayBreak', () => {
  it('is true for a new major version, and before 1.0.0', () =>
    assert.deepEqual(
      [mayBreak('1.9.0', '2.0.0'), mayBreak('0.1.0', '0.2.0'), mayBreak('1.0.0', '1.1.0')],
      [true, true, false],
    ));
});
