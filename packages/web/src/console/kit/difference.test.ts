import assert from 'node:assert/strict';
import { differenceOf } from './difference.ts';

describe('difference between a change and its preview', () => {
  const seen = (count: number, from = 0) => ({
    Ids: Array.from({ length: count }, (_, at) => String(from + at)),
  });

  it('is empty if both list the same, in any order', () => {
    const preview = seen(300);
    assert.deepEqual(differenceOf(preview, { Ids: preview.Ids.toReversed() }), { left: [], more: [] });
  });

  it('contains missing and additional items', () => {
    const { left, more } = differenceOf(seen(300), seen(300, 10));
    assert.deepEqual(left, seen(10).Ids);
    assert.deepEqual(more, seen(10, 300).Ids);
  });
});
