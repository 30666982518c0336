import { SYNTAX } from './odd-syntax.ts';

/** Every code point that is a space, invisible, a direction mark or not a character in Unicode. */
const SIGNS = [
  ...between(0x00, 0x20),
  ...between(0x7f, 0xa0),
  ...[
    0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x1680, 0x17b4, 0x180e, 0xfeff, 0xfff9, 0xfffc, 0xfffd, 0xfffe,
    0xffff,
  ],
  ...between(0x2000, 0x200f),
  ...between(0x2028, 0x202f),
  ...between(0x205f, 0x206f),
  ...[0x3000, 0x3164, 0xfdd0, 0xffa0, 0xe000, 0xf8ff, 0xd800, 0xdbff, 0xdc00, 0xdfff],
  ...[0x1f600, 0x1d173, 0xe0001, 0xe0020, 0xe007f, 0xe0100, 0xf0000, 0x10ffff, 0x1fffe],
];

/**
 * Characters that look like others, or become other or several characters when normalised or when their case changes.
 */
const FOLDED = Array.from(
  'ßẞıİſKÅΩµΐﬁﬃﷺ㎏①½²ªǅŉΣςμ＠．。｡﹒․／＼＜＞＂＇％＃？＆＝：；，（）０９ＡｚаеорсухіӏΑΒ한가é',
);

const TIMES = [
  ...[
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '-4713-11-24T00:00:00Z',
  ],
  ...[
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59-23:59',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
  ],
  ...[
    '+275760-09-13T00:00:00Z',
    '+275760-09-13T00:00:01Z',
    '294277-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '2038-01-19T03:14:08Z',
  ],
  ...[
    '2016-12-31T23:59:60Z',
    '2026-06-30T23:59:60Z',
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
  ],
  ...[
    '2026-01-01T24:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+99:99',
    '2026-01-01T00:00:00',
  ],
  ...[
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '2026-01-01t00:00:00z',
    '2026-W01-1T00:00:00Z',
    '2026-001T00:00:00Z',
    '20260101T000000Z',
  ],
  ...[
    '2026-01-01T00:00:00.000000000000000000001Z',
    `2026-01-01T00:00:00.${'9'.repeat(500)}Z`,
    'infinity',
    '-infinity',
    'now',
    'epoch',
  ],
];

const EMAILS = [
  ...[
    '@',
    'a@',
    '@b',
    'a@b',
    'a@b@c',
    'a@@b.example',
    'a b@c.example',
    '"a b"@c.example',
    '"a@b"@c.example',
    'a@[127.0.0.1]',
  ],
  ...[
    'a@[IPv6:::1]',
    'a@127.1',
    'a@1',
    'a@0x7f.1',
    'a@c.example.',
    'a@.c.example',
    'a@c..example',
    '.a@c.example',
    'a..b@c.example',
  ],
  ...[
    'a(x)@c.example',
    'A <a@c.example>',
    '<a@c.example>',
    'g: a@c.example, b@c.example;',
    'a@c.example,b@c.example',
    'a@c.example;',
  ],
  ...[
    '=?utf-8?q?a?=@c.example',
    'a@c.example/x.y',
    'a@c.example?x',
    'a@c.example#x',
    'a@c\\x',
    'a@c%2eexample',
    'a@c。example',
  ],
  ...[
    'a＠c.example',
    'a@xn--',
    'a@xn--a.example',
    'a@xn--99zzzz.example',
    'a@-c.example',
    'a@c_.example',
    'a@еxample.com',
    'é@c.example',
  ],
  ...[
    `${'a'.repeat(65)}@c.example`,
    `a@${'c'.repeat(64)}.example`,
    `a@${'c.'.repeat(130)}example`,
    `${'a'.repeat(300)}@c.example`,
  ],
  ...[
    'a@c.example\0',
    'a\0@c.example',
    'a@c.\r\nexample',
    'a@c.example ',
    '\ta@c.example',
    'a@\u202ec.example',
    'a\u200b@c.example',
  ],
];

const TOKENS = [
  ...[
    'AAAA-AAAA',
    'aaaa aaaa',
    'ZZZZZZZZ',
    'IOLU-0000',
    '0000-0000-0',
    'A'.repeat(43),
    '000000',
    '١٢٣٤٥٦',
    ' 000000 ',
    '0'.repeat(64),
  ],
  ...[
    'eyJhbGciOiJub25lIn0.e30.',
    '..',
    '.',
    `sat_${'A'.repeat(49)}`,
    `${'A'.repeat(22)}|${'A'.repeat(22)}`,
    '====',
    '-_-_',
    'A=A=',
  ],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '{019a0000-0000-7000-8000-000000000000}',
  ],
  ...[
    '019a0000-0000-7000-8000-00000000000',
    '019a0000-0000-7000-8000-000000000000 ',
    '019a000000007000800000000000000000',
    '019A0000-0000-7000-8000-00000000000G',
  ],
  ...[
    '$2b$04$'.padEnd(60, 'a'),
    '$2b$31$'.padEnd(60, '.'),
    '$2b$99$',
    '$2z$04$'.padEnd(60, 'a'),
    '*0',
    'en-',
    'x-klingon',
    'de_AT',
    'zz-ZZ-zz',
  ],
];

const LENGTHS = [
  1, 2, 7, 8, 59, 60, 61, 63, 64, 65, 72, 73, 100, 127, 128, 200, 254, 255, 256, 257, 320, 400, 500, 1000,
  1024, 2000, 4000,
];

/** More than seven hundred kinds of unexpected text, the same in every run. Some are not valid Unicode. */
export function oddTexts(): string[] {
  return [
    '',
    ...SIGNS.flatMap((code) => {
      const sign = String.fromCodePoint(code);
      return [sign, `a${sign}b`, `${sign}someone@example.com`, `someone@exam${sign}ple.com`];
    }),
    ...FOLDED.flatMap((sign) => [
      sign,
      sign.repeat(100),
      `someone${sign}x@example.com`,
      `someone@ex${sign}mple.com`,
    ]),
    ...[...SYNTAX, ...TIMES, ...EMAILS, ...TOKENS],
    ...LENGTHS.flatMap((length) => ['x'.repeat(length), '😀'.repeat(length / 2)]),
    ...['x', ' ', '\0', 'é', '\u0301', '\ufdfa', '@', '.', '-', '\\', '"', '%', '\u202e'].map((sign) =>
      sign.repeat(10_000),
    ),
    `e${'\u0301'.repeat(5000)}`,
    'x'.repeat(100_000),
    `x@${'y.'.repeat(20_000)}example`,
  ];
}

function between(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
