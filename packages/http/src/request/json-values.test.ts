import assert from 'node:assert/strict';
import { hasTooManyValues, JSON_VALUES_MAX } from './body.ts';

describe('hasTooManyValues', () => {
  const listOf = (item: string, count: number): string => `[${Array(count).fill(item).join(',')}]`;
  const fieldsOf = (count: number): string =>
    `{${Array.from({ length: count }, (_, at) => `"f${at}":0`).join(',')}}`;
  const isRefused = (text: string): boolean => hasTooManyValues(Buffer.from(text));

  it('counts fields, items and levels', () => {
    for (const make of [
      fieldsOf,
      (count: number) => listOf('"text"', count),
      (count: number) => '['.repeat(count) + ']'.repeat(count),
      (count: number) => `${'{"a":'.repeat(count)}0${'}'.repeat(count)}`,
      (count: number) => listOf('{}', count / 2),
    ]) {
      assert.equal(isRefused(make(JSON_VALUES_MAX)), false, make(4));
      assert.equal(isRefused(make(JSON_VALUES_MAX + 2)), true, make(4));
    }
  });

  it('does not count what stands in texts', () => {
    const signs = '[{,'.repeat(JSON_VALUES_MAX);
    for (const text of [`"${signs}"`, `"\\"${signs}"`, `{"a\\\\":"\\\\\\"${signs}"}`]) {
      JSON.parse(text);
      assert.equal(isRefused(text), false, text.slice(0, 12));
    }
    assert.equal(isRefused(`"\\\\"${signs}`), true);
  });
});
