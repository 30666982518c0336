import { gzipSync } from 'node:zlib';
import type { Route } from '@gatehouse/http';
import * as fc from 'fast-check';
import type { RawRequest } from '../raw-request.ts';
import { fromSchema, type Known } from './from-schema.ts';
import { Fields, hostileName, hostileSegment, hostileValue, POLLUTION, written } from './hostile-values.ts';

/** A request, and whether it may differ from its route. */
export interface HostileRequest extends RawRequest {
  /** Its URL may lead to no route, or be malformed. */
  mayMissRoute: boolean;
}

/** Requests to a route: from almost correct to nonsense. */
export function hostileRequests(route: Route<never>, known: Known): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      path: paths(route, known),
      query: queries(route, known),
      sent: bodies(route, known),
      headers: headers(),
    })
    .map(({ path, query, sent, headers: more }) => ({
      method: route.method.toUpperCase(),
      path: `${path.text}${query}`,
      mayMissRoute: path.mayMissRoute,
      headers: { ...sent.headers, ...more },
      ...(sent.body !== undefined && { body: sent.body }),
    }));
}

function paths(route: Route<never>, known: Known): fc.Arbitrary<{ text: string; mayMissRoute: boolean }> {
  const parts = route.path.split(/(:\w+)/).map((part) => {
    if (!part.startsWith(':')) return fc.constant({ text: part, mayMissRoute: false });
    const schema = (route.params?.properties ?? {})[part.slice(1)] ?? {};
    const right = fromSchema(schema, known).map((value) => encoded(value));
    return fc.oneof(
      {
        weight: 3,
        arbitrary: right.map((text) => ({ text, mayMissRoute: /^$|^\.{1,2}$|%00|%2F/i.test(text) })),
      },
      { weight: 1, arbitrary: hostileSegment().map((text) => ({ text, mayMissRoute: true })) },
    );
  });
  return fc.tuple(...parts).map((all) => ({
    text: all.map(({ text }) => text).join(''),
    mayMissRoute: all.some(({ mayMissRoute }) => mayMissRoute),
  }));
}

function queries(route: Route<never>, known: Known): fc.Arbitrary<string> {
  const own = Object.entries<object>(route.query?.properties ?? {}).map(([name, schema]) =>
    fc.tuple(fc.constant(encodeURIComponent(name)), fromSchema(schema, known).map(encoded)),
  );
  const astray = fc.tuple(
    fc.oneof(
      hostileSegment(),
      hostileName().map(encoded),
      fc.constantFrom('limit[]', 'a[b][c]', '%5B__proto__%5D'),
    ),
    hostileSegment(),
  );
  const pairs = fc.array(own.length === 0 ? astray : fc.oneof(...own, ...own, astray), { maxLength: 5 });
  return pairs.map((list) => (list.length === 0 ? '' : `?${list.map((pair) => pair.join('=')).join('&')}`));
}

interface Sent {
  body?: string | Buffer;
  headers: Record<string, string>;
}

function bodies(route: Route<never>, known: Known): fc.Arbitrary<Sent> {
  const schema = route.body ?? route.ndjson;
  if (schema === undefined) return fc.constantFrom<Sent>({ headers: {} }, json('{"Unasked":1}'));
  const near = fromSchema(schema, known).map(written);
  const kind = route.form
    ? 'application/x-www-form-urlencoded'
    : route.ndjson === undefined
      ? 'application/json'
      : 'application/x-ndjson';
  const text =
    route.ndjson === undefined ? near : fc.array(near, { maxLength: 5 }).map((lines) => lines.join('\n'));
  return fc.oneof(
    { weight: 20, arbitrary: text.map((body) => typed(body, kind)) },
    { weight: 1, arbitrary: hostileValue().map((value) => typed(written(value), kind)) },
    { weight: 1, arbitrary: fc.constant(typed(written(new Fields(POLLUTION)), kind)) },
    {
      weight: 2,
      arbitrary: fc.tuple(text, fc.nat(), fc.nat(255)).map((given) => typed(mangled(...given), kind)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(text, fc.nat())
        .map(([body, at]) => typed(body.slice(0, at % (body.length + 1)), kind)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...oddities(kind)) },
  );
}

/** Bodies that are refused because of their type or encoding, whatever they contain. */
function oddities(kind: string): Sent[] {
  const small = '{"Email":"ann@example.com"}';
  return [
    { headers: {} },
    typed('', kind),
    typed(`{"Email":"${'x'.repeat(150_000)}"}`, kind),
    typed(`\ufeff${small}`, kind),
    typed(Buffer.from(small, 'utf16le'), `${kind}; charset=utf-16`),
    typed(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), kind),
    { body: gzipSync(small), headers: { 'content-type': kind, 'content-encoding': 'gzip' } },
    ...[
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      `${kind}x`,
      ';',
      kind.toUpperCase(),
    ].map((other) => typed(small, other)),
    typed('Email=ann%40example.com', 'application/x-www-form-urlencoded'),
  ];
}

function json(body: string): Sent {
  return typed(body, 'application/json');
}

function typed(body: string | Buffer, kind: string): Sent {
  return { body, headers: { 'content-type': kind } };
}

function mangled(body: string, at: number, byte: number): Buffer {
  const bytes = Buffer.from(body);
  if (bytes.length > 0) bytes[at % bytes.length] = byte;
  return bytes;
}

/** Headers that we read, with unusual values. */
function headers(): fc.Arbitrary<Record<string, string>> {
  const odd = fc.oneof(
    fc.string({
      unit: fc
        .integer({ min: 0x20, max: 0xff })
        .map((code) => String.fromCharCode(code))
        .filter((one) => one !== '\u007f'),
      maxLength: 60,
    }),
    fc.constantFrom(
      '',
      ',',
      '"',
      'W/"1"',
      '*',
      '"0"',
      'x'.repeat(3000),
      '%0d%0a',
      '1e999',
      '-1',
      '0x10',
      'null',
    ),
  );
  const names = [
    'if-match',
    'x-forwarded-for',
    'x-forwarded-host',
    'forwarded',
    'traceparent',
    'user-agent',
    'origin',
    'cookie',
    'accept',
    'accept-language',
    'range',
    'x-http-method-override',
    'via',
    'te',
  ];
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...names), odd, { maxKeys: 3 }) },
  );
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : written(value);
  return encodeURIComponent(text.toWellFormed()).slice(0, 4000);
}
