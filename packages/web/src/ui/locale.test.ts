import assert from 'node:assert/strict';
import { fill } from './locale.ts';

describe('fill', () => {
  it('replaces placeholders, also repeated ones', () => {
    assert.equal(fill('{a} and {b}, {a}', { a: 1, b: 'two' }), '1 and two, 1');
  });

  it('inserts values literally', () => {
    assert.equal(fill('{a}', { a: '{b} $& $1', b: 'no' }), '{b} $& $1');
  });

  it('keeps a placeholder without a value', () => {
    assert.equal(fill('{a}{constructor}', {}), '{a}{constructor}');
  });
});
