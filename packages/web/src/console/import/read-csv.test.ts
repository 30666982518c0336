import assert from 'node:assert/strict';
import { readCsv, separatorOf } from './read-csv.ts';

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
