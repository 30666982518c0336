import { gzipSync } from 'node:zlib';

/** A body and its `Content-Type`. */
export interface RawBody {
  name: string;
  bytes: Buffer;
  type: string;
}

const JSON_TYPE = 'application/json';

/** Bodies that are not JSON, barely JSON, or JSON that matches no schema: one of each kind. */
export function rawBodies(field: string): RawBody[] {
  const valid = JSON.stringify({ [field]: 'x' });
  const texts: Record<string, string> = {
    nothing: '',
    'a BOM': `\ufeff${valid}`,
    'two values': `${valid}${valid}`,
    'a comma too many': `{"${field}":"x",}`,
    'no end': `{"${field}":"x`,
    'single quotes': `{'${field}':'x'}`,
    'NUL behind it': `${valid}\0`,
    'a raw NUL in a string': `{"${field}":"a\0b"}`,
    'half a character': `{"${field}":"\\ud800"}`,
    'a broken escape': `{"${field}":"\\u00"}`,
    'the field twice': `{"${field}":"x","${field}":{"a":[]}}`,
    'seven thousand fields': `{${Array.from({ length: 7000 }, (_, at) => `"f${at}":1`).join()}}`,
    'a field __proto__': `{"__proto__":{"Role":"Admin"},"${field}":"x"}`,
    'a number beyond any': `{"${field}":1e400}`,
    'a number that is none': `{"${field}":01}`,
    'a list alone': '["x"]',
    'null alone': 'null',
    'lists 20,000 deep': '['.repeat(20_000) + ']'.repeat(20_000),
    'lists without an end': '['.repeat(20_000),
    'objects 4,000 deep': `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`,
    'a string beyond 100 KB': `{"${field}":"${'x'.repeat(102_500)}"}`,
    'more than a megabyte': `{"${field}":"${'x'.repeat(1_100_000)}"}`,
    'escapes of 100 KB': `{"${field}":"${'\\u0041'.repeat(17_000)}"}`,
  };
  return [
    ...Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text), type: JSON_TYPE })),
    ...BYTES.map(([name, bytes]) => ({ name, bytes, type: JSON_TYPE })),
    ...TYPES.map((type) => ({ name: `as ${type.slice(0, 40)}`, bytes: Buffer.from(valid), type })),
    { name: 'UTF-16', bytes: Buffer.from(valid, 'utf16le'), type: `${JSON_TYPE}; charset=utf-16` },
    { name: 'packed, and not said so', bytes: gzipSync(valid), type: JSON_TYPE },
    { name: 'a form', bytes: Buffer.from(`${field}=x`), type: 'application/x-www-form-urlencoded' },
  ];
}

/** Bytes that are not valid UTF-8. */
const BYTES: [string, Buffer][] = [
  ...['ff', 'c328', 'c080', 'eda080', 'f4908080'].map((hex): [string, Buffer] => [
    `the bytes ${hex} in a string`,
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]),
  ]),
  ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 167 + 13) % 256))],
];

const TYPES = [
  ...['APPLICATION/JSON', `${JSON_TYPE};;`, `${JSON_TYPE}; charset=latin1`, '*/*', 'text/plain', ';', '\x80'],
  ...[
    'multipart/form-data',
    `${JSON_TYPE}, text/plain`,
    'application/x-ndjson',
    `${JSON_TYPE};${' '.repeat(6000)}x`,
  ],
];
