import assert from 'node:assert/strict';
import { accountOf, guessMapping, readAccounts, readCsv, separatorOf } from './table.ts';

const accountsOf = (text: string): unknown[] | undefined => {
  const table = readAccounts(text);
  return table?.rows.map((row) => [row.line, row.values && accountOf(row, guessMapping(table))]);
};

describe('a file of accounts', () => {
  const ann = { Email: 'ann@example.com', DisplayName: 'Ann' };

  it('is CSV, a JSON array or JSON lines', () => {
    assert.deepEqual(accountsOf('E-Mail;Full name;Age\r\nann@example.com;Ann;7\r\n\r\nx;;\r\n'), [
      [2, ann],
      [4, { Email: 'x' }],
    ]);
    assert.deepEqual(accountsOf(`[${JSON.stringify(ann)}, 7]`), [
      [1, ann],
      [2, undefined],
    ]);
    assert.deepEqual(
      accountsOf(`${JSON.stringify({ ...ann, more: {} })}\n\n{"Email":\n{"email_address":"y"}`),
      [
        [1, ann],
        [3, undefined],
        [4, {}],
      ],
    );
  });

  it('has groups, as a list or as text with commas', () => {
    const expected = { Email: 'x', Groups: ['editors', 'sales'] };
    for (const text of ['{"Email":"x","groups":["editors","sales"]}', 'Email;Groups\nx;editors, sales'])
      assert.deepEqual(accountsOf(text)?.[0], [text.startsWith('{') ? 1 : 2, expected]);
  });

  it('has no other format', () => {
    for (const text of ['', 'email', '[{"Email":', '\n']) assert.equal(readAccounts(text), undefined, text);
  });

  it('is safe with unusual column names', () => {
    const text = '{"__proto__": "x", "constructor": "c", "Email": "a@example.com"}';
    assert.deepEqual(accountsOf(text), [[1, { Email: 'a@example.com' }]]);
  });
});

const cellsOf = (text: string, separator = ','): string[][] =>
  readCsv(text, separator).map(({ cells }) => cells);

describe('readCsv', () => {
  it('reads rows and cells with any line ending, and skips empty lines', () => {
    const rows = [
      ['a', 'b'],
      ['1', '2'],
      ['3', ''],
    ];
    for (const end of ['\n', '\r\n', '\r'])
      assert.deepEqual(cellsOf(['a,b', '', '1,2', '3,', ''].join(end)), rows, JSON.stringify(end));
    assert.deepEqual(cellsOf('a,b\n1,2\n3,'), rows);
    assert.deepEqual(cellsOf(''), []);
  });

  it('keeps separators, line breaks and doubled quotes of quoted cells', () => {
    assert.deepEqual(cellsOf('"a,b","c ""d""","e\r\nf",""\r\nx'), [['a,b', 'c "d"', 'e\r\nf', ''], ['x']]);
  });

  it('counts lines of the file, including those within cells', () => {
    assert.deepEqual(
      readCsv('h\n"a\nb"\nc\r\n\r\nd', ',').map(({ line }) => line),
      [1, 2, 4, 6],
    );
  });

  it('skips a byte order mark, and keeps malformed input', () => {
    assert.deepEqual(cellsOf('\uFEFFa;b\n1;2', ';'), [
      ['a', 'b'],
      ['1', '2'],
    ]);
    assert.deepEqual(cellsOf('a"b,c\n"open,d\ne'), [['a"b', 'c'], ['open,d\ne']]);
    assert.deepEqual(cellsOf('"a"b,c'), [['ab', 'c']]);
  });

  it('takes linear time', () => {
    const text = '"'.repeat(400_000) + ','.repeat(400_000);
    const began = performance.now();
    readCsv(text, ',');
    assert.ok(performance.now() - began < 2000);
  });
});

describe('separatorOf', () => {
  it('is the most frequent one in the first line', () => {
    assert.equal(separatorOf('email;name;first, last\na,b,c,d,e'), ';');
    assert.equal(separatorOf('email\tname'), '\t');
    assert.equal(separatorOf('email,name\r\n'), ',');
    assert.equal(separatorOf('email'), ',');
  });
});
