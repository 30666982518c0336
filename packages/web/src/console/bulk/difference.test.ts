import assert from 'node:assert/strict';
import { differenceOf } from './difference.ts';

describe('what a change did otherwise than its preview said', () => {
  const seen = (count: number, from = 0) => ({
    Ids: Array.from({ length: count }, (_, at) => String(from + at)),
  });

  it('is nothing where both name the same, in whatever order', () => {
    const preview = seen(300);
    assert.deepEqual(differenceOf(preview, { Ids: preview.Ids.toReversed() }), { left: [], more: [] });
  });

  it('is what was left out, and what came along', () => {
    const { left, more } = differenceOf(seen(300), seen(300, 10));
    assert.deepEqual(left, seen(10).Ids);
    assert.deepEqual(more, seen(10, 300).Ids);
  });
});
