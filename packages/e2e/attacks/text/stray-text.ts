import assert from 'node:assert/strict';
import { PASSWORD } from '../../src/testing/index.ts';
import { everyEndpoint } from '../answers.ts';
import type { HttpAnswer } from '../raw-request.ts';
import type { ServiceName, Target } from '../target.ts';

/** Characters that Postgres cannot store, or that would be stored as other characters. */
const STRAYS = { NUL: 'a\0b', 'a lone surrogate': 'a\ud800b', 'another at the end': 'ab\udfff' };

/** The part of JSON Schema that our schemas use for text. */
interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: unknown;
  numberOf?: object;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** A place for text in a request. `isOpen`: its schema accepts any text. */
interface Place {
  service: ServiceName;
  method: string;
  path: string;
  part: 'body' | 'query';
  /** The path to it; a number is an index of an array. */
  keys: readonly (string | number)[];
  isOpen: boolean;
  isForm: boolean;
}

/** Sends text with NUL or a lone surrogate in every place of every endpoint that accepts text. */
export function strayTextIsRefused(given: () => Target): void {
  let target: Target;
  let token: string;
  const places = everyPlace();
  before(async () => {
    target = given();
    const { email } = await target.newPerson({ Role: 'Admin' });
    ({ Token: token } = await target.logIn(email));
    // Starts a set-up, which waits for a code.
    await target.posts('core', '/account/two-factor', { Password: PASSWORD }, token);
  });

  const send = ({ service, method, path, part, keys, isForm }: Place, text: string): Promise<HttpAnswer> => {
    const real = path
      .replaceAll(/:(id|faceId)\b/g, NOBODY)
      .replace(':provider', 'demo')
      .replace(':kind', 'verification-code')
      .replace(':number', '1')
      .replace(':faceMatchType', '1');
    if (isForm) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams({ [keys.join('')]: text }).toString();
      return target.to(service, { method, path: real, headers, body });
    }
    if (part === 'body') return target.to(service, { method, path: real, token, body: bodyWith(keys, text) });
    return target.to(service, { method, path: `${real}?${keys.join()}=${encodeURIComponent(text)}`, token });
  };

  it('with NUL or a lone surrogate is refused by every schema, naming the field', async () => {
    const closed = places.filter(({ isOpen }) => !isOpen);
    assert.ok(closed.length > 50, `${closed.length} places`);
    for (const place of closed) {
      const pointer = `${place.part === 'query' ? '/query' : ''}/${place.keys.join('/')}`;
      for (const [what, stray] of Object.entries(STRAYS)) {
        // A query cannot contain a lone surrogate: invalid UTF-8 is decoded to a different character.
        if (place.part === 'query' && what !== 'NUL') continue;
        const { status, json, text } = await send(place, stray);
        const errors = (json['errors'] ?? []) as { pointer: string }[]; // in the format of our problem details
        const about = `${nameOf(place)} with ${what}: ${status} ${text.slice(0, 300)}`;
        assert.equal(status, 400, about);
        assert.ok(
          errors.some((error) => error.pointer === pointer),
          about,
        );
      }
    }
  });

  it('is not imported', async () => {
    const strays = Object.values(STRAYS);
    const lines = [
      ...strays.map((DisplayName, at) => ({ Email: `stray${at}@example.com`, DisplayName })),
      ...strays.map((stray) => ({ Email: `${stray}@example.com` })),
    ];
    const { status, json } = await target.to('admin', {
      method: 'POST',
      path: '/admin/account/import',
      token,
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    });
    const failures = json['Failures'] as unknown[];
    assert.deepEqual([status, json['Imported'], failures.length], [200, 0, lines.length]);
  });
}

const NOBODY = '00000000-0000-7000-8000-000000000000';

function nameOf({ method, path, keys }: Place): string {
  return `${method} ${path} /${keys.join('/')}`;
}

function bodyWith(keys: Place['keys'], text: string): unknown {
  return keys.reduceRight<unknown>(
    (inner, name) => (typeof name === 'number' ? [inner] : { [name]: inner }),
    text,
  );
}

function everyPlace(): Place[] {
  return everyEndpoint().flatMap(({ service, route }) => {
    const at = { service, method: route.method.toUpperCase(), path: route.path };
    const within = (part: Place['part'], schema: object | undefined): Place[] =>
      (schema === undefined ? [] : [...textsIn(schema, [])]).map(([keys, isOpen]) => ({
        ...at,
        part,
        keys,
        isOpen,
        isForm: route.form === true,
      }));
    return [...within('body', route.body), ...within('query', route.query)];
  });
}

function* textsIn(schema: Schema, keys: Place['keys']): Generator<[Place['keys'], isOpen: boolean]> {
  if (schema.properties !== undefined) {
    for (const [name, inner] of Object.entries(schema.properties)) yield* textsIn(inner, [...keys, name]);
  } else if (schema.items !== undefined) yield* textsIn(schema.items, [...keys, 0]);
  else if (schema.anyOf !== undefined) {
    const [first] = schema.anyOf.flatMap((one) => [...textsIn(one, keys)]);
    if (first !== undefined) yield first;
  } else if (isText(schema)) {
    const { format, pattern, const: word, enum: words } = schema;
    yield [keys, [format, pattern, word, words].every((rule) => rule === undefined)];
  }
}

function isText({ type, numberOf, enum: words }: Schema): boolean {
  return type === undefined
    ? numberOf === undefined && words === undefined
    : [type].flat().includes('string');
}
