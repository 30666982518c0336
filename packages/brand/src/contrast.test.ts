import assert from 'node:assert/strict';
import { contrastOf, leastContrastOf, readableOn } from './contrast.ts';

describe('contrastOf', () => {
  it('is that of WCAG, whichever colour is the text', () => {
    for (const [one, other, expected] of [
      ['#000000', '#ffffff', 21],
      ['#ffffff', '#ffffff', 1],
      ['#767676', '#ffffff', 4.54],
      ['#ff0000', '#ffffff', 4],
    ] as const) {
      assert.ok(Math.abs(contrastOf(one, other) - expected) < 0.01, `${one} ${contrastOf(one, other)}`);
      assert.equal(contrastOf(other, one), contrastOf(one, other));
    }
  });
});

describe('readableOn', () => {
  it('changes a colour no more than it must', () => {
    assert.equal(readableOn(['#ffffff'], '#1a5fb4', '#000000'), '#1a5fb4');
    const darker = readableOn(['#ffffff', '#f7f8fa'], '#f6d32d', '#000000');
    const contrast = leastContrastOf(darker, ['#ffffff', '#f7f8fa']);
    assert.ok(contrast >= 4.5 && contrast < 4.8, `${darker} ${contrast}`);
  });
});
