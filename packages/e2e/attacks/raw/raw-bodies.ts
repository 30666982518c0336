import { gzipSync } from 'node:zlib';

/** A body and its `Content-Type`. */
export interface RawBody {
  name: string;
  bytes: Buffer;
  type: string;
}

const DEPTHS = [100, 5000, 20_000];

/** Bodies that are not JSON, barely JSON, or JSON that matches no schema. */
export function rawBodies(field: string): RawBody[] {
  const valid = JSON.stringify({ [field]: 'x' });
  const texts: Record<string, string> = {
    nothing: '',
    'a space': ' ',
    'a BOM': `\ufeff${valid}`,
    'two BOMs': `\ufeff\ufeff${valid}`,
    'a BOM alone': '\ufeff',
    'two values': `${valid}${valid}`,
    'a comma too many': `{"${field}":"x",}`,
    'no end': `{"${field}":"x`,
    'no value': `{"${field}":}`,
    'single quotes': `{'${field}':'x'}`,
    'a comment': `/* */${valid}`,
    'NUL behind it': `${valid}\0`,
    'NUL before it': `\0${valid}`,
    'a line separator before it': `\u2028${valid}`,
    'a vertical tab before it': `\v${valid}`,
    'a raw line break in a string': `{"${field}":"a\nb"}`,
    'NUL in a string': `{"${field}":"a\\u0000b"}`,
    'a raw NUL in a string': `{"${field}":"a\0b"}`,
    'half a character': `{"${field}":"\\ud800"}`,
    'the other half': `{"${field}":"\\udc00"}`,
    'halves the wrong way': `{"${field}":"\\udc00\\ud800"}`,
    'a broken escape': `{"${field}":"\\u00"}`,
    'an unknown escape': `{"${field}":"\\x41"}`,
    'the field twice': `{"${field}":"x","${field}":{"a":[]}}`,
    'the field a thousand times': `{${Array.from({ length: 1000 }, () => `"${field}":"x"`).join()}}`,
    'ten thousand fields': `{${Array.from({ length: 7000 }, (_, at) => `"f${at}":1`).join()}}`,
    'a field with an escaped name': `{"\\u005f\\u005fproto\\u005f\\u005f":{"Role":"Admin"}}`,
    ...Object.fromEntries(
      [
        '__proto__',
        'constructor',
        'prototype',
        'toString',
        'hasOwnProperty',
        'then',
        'toJSON',
        'length',
        '',
      ].flatMap((name) =>
        ['{"Role":"Admin"}', 'null', '1', '[]', '"x"'].map((value) => [
          `a field "${name}" of ${value}`,
          `{"${name}":${value},"${field}":"x"}`,
        ]),
      ),
    ),
    ...Object.fromEntries(
      [
        ...[
          '1e400',
          '-1e400',
          '1e-400',
          '-0',
          '0.1e1',
          '01',
          '+1',
          '.5',
          '1.',
          '0x10',
          '1_000',
          'NaN',
          'Infinity',
          '-',
        ],
        ...[
          '9007199254740993',
          '9'.repeat(400),
          `1e${'9'.repeat(50)}`,
          `0.${'0'.repeat(3000)}1`,
          'undefined',
          'nul',
          'True',
        ],
        ...[
          'null',
          'true',
          'false',
          '0',
          '1',
          '-1',
          '""',
          '[]',
          '{}',
          '[[]]',
          '[{}]',
          '[null]',
          '{"a":{"b":{}}}',
          '["x"]',
        ],
      ].flatMap((value) => [
        [`${value} in its field`.slice(0, 60), `{"${field}":${value}}`],
        [`${value} alone`.slice(0, 60), value],
      ]),
    ),
    ...Object.fromEntries(
      DEPTHS.flatMap((depth) => [
        [`lists ${depth} deep`, '['.repeat(depth) + ']'.repeat(depth)],
        [`lists ${depth} deep in a field`, `{"${field}":${'['.repeat(depth)}${']'.repeat(depth)}}`],
        [`objects ${depth / 5} deep`, `${'{"a":'.repeat(depth / 5)}1${'}'.repeat(depth / 5)}`],
        [`lists ${depth} deep without an end`, '['.repeat(depth)],
      ]),
    ),
    'a string of 100 KB': `{"${field}":"${'x'.repeat(102_000)}"}`,
    'a string beyond 100 KB': `{"${field}":"${'x'.repeat(102_500)}"}`,
    'a megabyte': `{"${field}":"${'x'.repeat(1_040_000)}"}`,
    'more than a megabyte': `{"${field}":"${'x'.repeat(1_100_000)}"}`,
    'spaces of 100 KB': `${' '.repeat(100_000)}${valid}`,
    'escapes of 100 KB': `{"${field}":"${'\\u0041'.repeat(17_000)}"}`,
  };
  const json = 'application/json';
  return [
    ...Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text), type: json })),
    ...BYTES.map(([name, bytes]) => ({ name, bytes, type: json })),
    ...TYPES.map((type) => ({ name: `as ${type.slice(0, 40)}`, bytes: Buffer.from(valid), type })),
    { name: 'UTF-16', bytes: Buffer.from(valid, 'utf16le'), type: `${json}; charset=utf-16` },
    { name: 'packed, and not said so', bytes: gzipSync(valid), type: json },
    { name: 'a form', bytes: Buffer.from(`${field}=x`), type: 'application/x-www-form-urlencoded' },
  ];
}

/** Bytes that are not valid UTF-8. */
const BYTES: [string, Buffer][] = [
  ...[
    'ff',
    'fe',
    'fffe',
    'c328',
    'c080',
    'e08080',
    'eda080',
    'edb080',
    'f0808080',
    'f4908080',
    'f8888080',
    '80',
  ].map((hex): [string, Buffer] => [
    `the bytes ${hex} in a string`,
    Buffer.concat([Buffer.from('{"a":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]),
  ]),
  ['random bytes', Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 167 + 13) % 256))],
  ['UTF-32', Buffer.from('{\0\0\0}\0\0\0', 'latin1')],
  ['a UTF-16 BOM', Buffer.from('\xff\xfe{\0}\0', 'latin1')],
];

const TYPES = [
  ...[
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset="utf-8"',
    'application/json;;',
  ],
  ...[
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=x-unknown',
    '*/*',
  ],
  ...[
    'text/json',
    'text/plain',
    'text/html',
    'application/xml',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    '/',
  ],
  ...[
    'application/json, text/plain',
    'application/problem+json',
    'application/x-ndjson',
    'json',
    ';',
    ',',
    '""',
    '\x80',
  ],
  ...[
    'application/json; a=b',
    'application/json; charset=utf-8; charset=utf-16',
    `application/json;${' '.repeat(6000)}x`,
  ],
];
