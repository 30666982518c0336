import * as fc from 'fast-check';

/** JSON text for which there is no JavaScript value. */
class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function written(value: unknown): string {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const text: string | undefined = JSON.stringify(value);
  return text ?? 'null';
}

const ODD_NUMBERS = [
  ...'1e308 -1e308 1e999 -1e999 -0 0.1 -1 1e-320 5e-324 2147483648 -2147483649'.split(' '),
  ...['9007199254740993', '9223372036854775808', '123456789012345678901234567890', '4.0', '4.0000000001'],
];

const ODD_TEXTS = [
  ...['', ' ', '\t', '\n', '\r\nSet-Cookie: a=b', '\u007f', '\u0085', '\u2028', '\ufeff', '\ufffe'],
  ...['\u202eevil', 'e\u0301\u0301\u0301', '\ufdfa'.repeat(40), '4 '],
  ...'👩‍👩‍👧‍👦 ǅ ß İ ﬁ ＠ ． 。 ½ ٣ а'.split(' '),
  ...'null undefined NaN true [] {} 0 -0 1e999 __proto__ constructor Normal'.split(' '),
  ...'\\ % _ %00 ../../etc/passwd $where ${7*7} (a+)+$ {{7*7}} <script>alert(1)</script>'.split(' '),
  ...["' or '1'='1", '"; drop table account; --', '$(sleep 9)', '=cmd|"/c calc"!A1'],
  ...'javascript:alert(1) http://[::1 ann@example.com,bob@example.com @ a@b@c'.split(' '),
  ...['ann@example.com\r\nBcc: bob@example.com', '"a b"@example.com'],
  ...'0000-00-00T00:00:00Z 2026-02-30T00:00:00Z +275760-09-13T00:00:00.001Z infinity'.split(' '),
  ...['9999-12-31T23:59:60Z', '2026-01-01T00:00:00+24:00', '00000000-0000-0000-0000-000000000000'],
  ...['9'.repeat(30), '{'.repeat(100), 'eyJhbGciOiJub25lIn0.e30.', `sat_${'A'.repeat(49)}`],
  ...['$2b$04$'.padEnd(60, 'a'), '0000-0000', 'x-klingon'],
];

/** The limits of our fields, of bcrypt and of emails, and one less or more. */
const LENGTHS = [8, 60, 64, 72, 100, 128, 200, 254, 320, 400, 500, 1000, 1024, 2000, 4000, 10_000].flatMap(
  (length) => [length - 1, length, length + 1],
);

const DEPTH = 2000;

/** Unexpected text: what a database cannot store, what means something elsewhere, any sign, and any length. */
export function hostileText(): fc.Arbitrary<string> {
  const sign = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom('\0', '\ud800'),
  );
  const character = fc.constantFrom('x', ' ', '\0', 'é', '😀', '\u0301', '@', '.', '-', '\\', '"', '%');
  return fc.oneof(
    fc.constantFrom('a\0b', '\0', 'a\ud800', '\udfff', 'a\u0000@example.com'),
    fc.constantFrom(...ODD_TEXTS),
    fc.string({ unit: 'binary', maxLength: 40 }),
    sign.map((one) => `someone${one}@example.com`),
    sign.map((one) => `someone@exam${one}ple.com`),
    fc.tuple(character, fc.constantFrom(...LENGTHS)).map(([one, length]) => one.repeat(length)),
  );
}

/** Any JSON value, often an unexpected one. */
export function hostileValue(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 5, arbitrary: hostileText() },
    { weight: 4, arbitrary: hostileNumber() },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], [{}]) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 5000 }).map((length) => 'x'.repeat(length)) },
    { weight: 1, arbitrary: fc.constantFrom('\u0000', 'é', '\ud83d').map((unit) => unit.repeat(400)) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom('[', '{"a":').map(deep) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom('a', 1, null), { minLength: 101, maxLength: 600 }) },
    { weight: 1, arbitrary: fc.constant(new Written(POLLUTION)) },
    { weight: 1, arbitrary: fc.dictionary(hostileName(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }) },
  );
}

function hostileNumber(): fc.Arbitrary<unknown> {
  return fc.constantFrom(...ODD_NUMBERS).map((text) => new Written(text));
}

function deep(opening: string): Written {
  const closing = opening === '[' ? ']' : '}';
  return new Written(`${opening.repeat(DEPTH)}1${closing.repeat(DEPTH)}`);
}

/** Fields that would make an administrator of an object they are merged into. */
const POLLUTION =
  '{"__proto__":{"Role":"Admin","role":"Admin","isAdmin":true},"constructor":{"prototype":{"Role":"Admin"}},"prototype":{"Role":"Admin"}}';

/** Field names that no schema has, but that careless code may use. */
function hostileName(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'length', 'then', '$ne', 'toJSON', ''),
    fc.constantFrom(...'Role IsDisabled Id UserId PasswordHash OwnerId IsEmailVerified Status'.split(' ')),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
}
