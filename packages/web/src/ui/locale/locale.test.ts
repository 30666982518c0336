import assert from 'node:assert/strict';
import { fill } from './locale.ts';

describe('fill', () => {
  it('puts values in their places, as often as they stand there', () => {
    assert.equal(fill('{a} and {b}, {a}', { a: 1, b: 'two' }), '1 and two, 1');
  });

  it('takes values as they are, whatever they hold', () => {
    assert.equal(fill('{a}', { a: '{b} $& $1', b: 'no' }), '{b} $& $1');
  });

  it('leaves a place without a value', () => {
    assert.equal(fill('{a}{constructor}', {}), '{a}{constructor}');
  });
});
