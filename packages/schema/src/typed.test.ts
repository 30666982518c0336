import assert from 'node:assert/strict';
import { compile, DisplayName, Email, normalizeEmail, Type } from './index.ts';

describe('a typed address', () => {
  const check = compile(Type.Object({ Email: Email() }), { unknownFields: 'drop' });
  const read = (typed: string): string | undefined => {
    const body = { Email: typed };
    return check(body) === undefined ? normalizeEmail(body.Email) : undefined;
  };

  for (const [typed, email] of [
    ['ann@example.com', 'ann@example.com'],
    ['Ann Example <Ann@Example.com>', 'Ann@example.com'],
    ['"Example, Ann" <ann@example.com>', 'ann@example.com'],
    ['"ann@example.com" <ann@example.com>;', 'ann@example.com'],
    ['<ann@example.com>', 'ann@example.com'],
    ["'ann@example.com'", 'ann@example.com'],
    ['„ann@example.com“.', 'ann@example.com'],
    ['mailto:ann@example.com', 'ann@example.com'],
    ['ann@example.com<mailto:ann@example.com>', 'ann@example.com'],
    ['[ann@example.com](mailto:ann@example.com)', 'ann@example.com'],
    ['*ann@example.com*', 'ann@example.com'],
    ['_ann_b@example.com', '_ann_b@example.com'],
    ['ann@example.com,', 'ann@example.com'],
    ['\u202Aann@example.com\u202C', 'ann@example.com'],
    ['ann\u200B@exa\u00ADmple.com\uFEFF', 'ann@example.com'],
    ['ann\u200D@example.com', 'ann@example.com'],
    ['ann٧@example.com', 'ann7@example.com'],
    ["_o'brien+x@example.com", "_o'brien+x@example.com"],
    ["'_o@example.com'", 'o@example.com'],
    ['ann@\u200Bbücher.example', 'ann@xn--bcher-kva.example'],
    // Without its joiner or its digit, the domain would be somebody else's.
    ['ann@\u0646\u0627\u0645\u0647\u200C\u0627\u06CC.example', undefined],
    ['ann@مثال١.example', 'ann@xn--mgbh0fb7l.example'],
    // One field is one address.
    ['ann@example.com <ben@example.com>', undefined],
    ['ann@example.com<mailto:ben@example.com>', undefined],
    ['ann@example.com, ben@example.com', undefined],
    ['Ann <ann@example.com>, Ben <ben@example.com>', undefined],
    ['ann@example.com\r\nBcc: ben@example.com', undefined],
    ['ann@example.com <ben', undefined],
    ['a\u0000nn@example.com', undefined],
  ] as const)
    it(`is read: ${JSON.stringify(typed)}`, () => assert.equal(read(typed), email));
});

describe('a typed name', () => {
  const check = compile(Type.Object({ DisplayName: DisplayName() }), { unknownFields: 'drop' });
  const read = (name: string): string | undefined => {
    const body = { DisplayName: name };
    return check(body) === undefined ? body.DisplayName : undefined;
  };

  for (const [typed, stored] of [
    ['Cafe\u0301 Ann', 'Caf\u00E9 Ann'],
    ['Ann \u202Eelpmaxe\u202C', 'Ann elpmaxe'],
    ['\u200Fדוד\u200F', 'דוד'],
    [' Ann\tExample ', 'Ann Example'],
    ['محمد\u200Cعلی', 'محمد\u200Cعلی'],
    ['👨‍👩‍👧 Family', '👨‍👩‍👧 Family'],
    ['🏴\u{E0067}\u{E0062}\u{E007F}', '🏴\u{E0067}\u{E0062}\u{E007F}'],
    [`\u202A${'x'.repeat(100)}\u202C`, 'x'.repeat(100)],
    ['\u200B', undefined],
    ['\u3164', undefined],
    ['\u00AD\u2066\u2069', undefined],
    ['\u2800 \u115F', undefined],
    ['   ', undefined],
    ['a\u2028b', undefined],
    ['a\nb', undefined],
  ] as const)
    it(`is stored as it is meant: ${JSON.stringify(typed)}`, () => assert.equal(read(typed), stored));
});

describe('typed text', () => {
  it('is read where it stands, before its length is checked', () => {
    const body = { Emails: ['Ann <ann@example.com>', `${'Ann '.repeat(90)}<ann@example.com>`], Name: null };
    const Name = Type.Union([Type.Null(), DisplayName()]);
    const check = compile(Type.Object({ Emails: Type.Array(Email()), Name }), { unknownFields: 'drop' });
    assert.equal(check(body), undefined);
    assert.deepEqual(body.Emails, ['ann@example.com', 'ann@example.com']);
  });
});
