import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readExport } from './read-export.ts';
import { jsonFault } from './json-fault.ts';

describe('the file of an export', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  const read = (bytes: string | Buffer) => {
    const file = join(folder, 'export.json');
    writeFileSync(file, bytes);
    return readExport(file, 'auth0');
  };
  const user = (name: string): string =>
    JSON.stringify({ email: `${name}@example.com`, email_verified: true });
  const found = (bytes: string | Buffer) => read(bytes).lines.map(({ place, line }) => [place, line.Email]);

  it('has its valid lines read, with their numbers, despite invalid ones', () => {
    const text = [user('ann'), '', '{"email":"cut@exa', user('ben'), 'x', user('cleo')].join('\r\n');
    const { lines, faults } = read(`${text}\r\n`);
    assert.deepEqual(
      lines.map(({ place, line }) => [place, line.Email]),
      [
        ['line 1', 'ann@example.com'],
        ['line 4', 'ben@example.com'],
        ['line 6', 'cleo@example.com'],
      ],
    );
    assert.deepEqual(faults, ['line 3', 'line 5']);
  });

  it('has its lines read, even if the first is invalid', () => {
    const { lines, faults } = read(`oops\n${user('ann')}\n`);
    assert.deepEqual([lines.length, faults], [1, ['line 1']]);
  });

  it('may have a byte order mark, or be UTF-16, as from Windows shells', () => {
    const expected = [['entry 1', 'ann@example.com']];
    assert.deepEqual(found(`\ufeff[${user('ann')}]`), expected);
    assert.deepEqual(found(Buffer.from(`\ufeff[${user('ann')}]`, 'utf16le')), expected);
    assert.deepEqual(found(`\ufeff${user('ann')}\r\n${user('ben')}`), [
      ['line 1', 'ann@example.com'],
      ['line 2', 'ben@example.com'],
    ]);
  });

  it('is refused in another encoding, which would corrupt names', () => {
    assert.throws(() => read(Buffer.from('[{"name":"Müller"}]', 'latin1')), /is not UTF-8/);
  });

  it('is refused if malformed, with line and column but no content', () => {
    const broken = JSON.stringify([JSON.parse(user('ann')), { secret: '$2b$10$hash' }], null, 2);
    for (const [text, message] of [
      [broken.slice(0, -10), /is no JSON: it ends too early$/],
      [broken.replace('},', '}'), /is no JSON from line 6, column 3 on$/],
      [`${broken}\n${broken}`, /is no JSON from line 10, column 1 on$/],
    ] as const) {
      assert.throws(
        () => read(text),
        (error: Error) => message.test(error.message) && !JSON.stringify(error).includes('hash'),
      );
    }
  });

  it('may have a line of megabytes', () => {
    const long = JSON.stringify({ email: 'ann@example.com', app_metadata: 'x'.repeat(20_000_000) });
    assert.deepEqual(found(`${long}\n${user('ben')}`), [
      ['line 1', 'ann@example.com'],
      ['line 2', 'ben@example.com'],
    ]);
  });
});

describe('jsonFault', () => {
  for (const [text, fault] of [
    ['', 'end'],
    ['[', 'end'],
    ['{"a": [1, 2', 'end'],
    ['{"a": "cut', 'end'],
    ['[1,2,]', { line: 1, column: 6 }],
    ['{"a":1,}', { line: 1, column: 8 }],
    ['{"a":1\n "b":2}', { line: 2, column: 2 }],
    ['[{"a":1}\r\n{"b":2}]', { line: 2, column: 1 }],
    ['[1]\n[2]', { line: 2, column: 1 }],
    ['{"a":"x\ny"}', { line: 1, column: 6 }],
    ["{'a':1}", { line: 1, column: 2 }],
    ['[nul]', { line: 1, column: 2 }],
    ['[01]', { line: 1, column: 2 }],
    ['{"a" 1}', { line: 1, column: 6 }],
    ['{1: 2}', { line: 1, column: 2 }],
    ['\u00a0[]', { line: 1, column: 1 }],
  ] as const) {
    it(`finds the syntax error in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(jsonFault(text), fault);
    });
  }

  it('finds no error in valid JSON', () => {
    for (const text of [
      '1',
      '"a"',
      ' [] ',
      '{"a":{"b":[1,-2.5e+3,true,null,"\\"\\u00e4"]},"c":{}}',
      '[[],[{}]]',
    ])
      assert.equal(jsonFault(text), undefined, text);
  });
});
