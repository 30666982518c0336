import assert from 'node:assert/strict';
import { csvOf } from './csv.ts';

describe('CSV', () => {
  it('has a header, and keeps commas, quotes and line breaks within cells', () => {
    const rows = [
      { Name: 'Ann, "the boss"', Notes: 'one\ntwo' },
      { Name: '', Notes: 'x' },
    ];
    assert.equal(csvOf(rows), '"Name","Notes"\r\n"Ann, ""the boss""","one\ntwo"\r\n"","x"\r\n');
  });

  it('escapes spreadsheet formulas', () => {
    for (const begin of ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n']) {
      assert.equal(csvOf([{ Name: `${begin}1` }]), `"Name"\r\n"'${begin}1"\r\n`);
    }
    assert.equal(csvOf([{ Name: '1=2' }]), '"Name"\r\n"1=2"\r\n');
  });
});
