import assert from 'node:assert/strict';
import { FORM_FIELDS_MAX, QUERY_PAIRS_MAX, readFields, readQuery } from './pairs.ts';

const REFUSED = { code: 'invalid_request' };

describe('a query', () => {
  it('has its values by name, and those of a repeated name in a list', () => {
    const values = readQuery('a=1&b=x%20y&a=2&&c&a=3&__proto__=4');
    assert.deepEqual(Object.entries(values), [
      ['a', ['1', '2', '3']],
      ['b', 'x y'],
      ['c', ''],
      ['__proto__', '4'],
    ]);
    assert.deepEqual(Object.entries(readQuery('')), []);
  });

  it('has fifty pairs at most, and more are not parsed', () => {
    for (const pair of ['a', 'a=b', '', '=', '%']) {
      assert.doesNotThrow(() => readQuery(many(pair, QUERY_PAIRS_MAX)), pair);
      assert.throws(() => readQuery(many(pair, QUERY_PAIRS_MAX + 1)), REFUSED, pair);
    }
  });
});

describe('a form', () => {
  it('has each field once', () => {
    assert.deepEqual(readFields('a=1&b=x+y&c=&d'), { a: '1', b: 'x y' });
    for (const twice of ['a=1&a=1', 'a=1&a=', 'a=&a=']) assert.throws(() => readFields(twice), REFUSED);
  });

  it('has twenty fields at most, and more are not parsed', () => {
    const distinct = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=1`).join('&');
    assert.equal(Object.keys(readFields(distinct(FORM_FIELDS_MAX))).length, FORM_FIELDS_MAX);
    assert.throws(() => readFields(distinct(FORM_FIELDS_MAX + 1)), REFUSED);
    assert.throws(() => readFields(many('', FORM_FIELDS_MAX + 1)), REFUSED);
  });
});

function many(pair: string, count: number): string {
  return Array<string>(count).fill(pair).join('&');
}
