import assert from 'node:assert/strict';

const MODULE = new URL('../../../../examples/faces/draw-face.mjs', import.meta.url);
type DrawFace = (options: { person: number; picture: number; isBlurry: boolean }) => string;

describe('a drawn face', () => {
  it('is the same at every run, different in each picture, and small', async () => {
    const { drawFace } = (await import(MODULE.href)) as { drawFace: DrawFace };
    const draw = (person: number, picture: number, isBlurry = false): string =>
      drawFace({ person, picture, isBlurry });
    assert.equal(draw(3, 4), draw(3, 4));
    assert.notEqual(draw(3, 4), draw(3, 5));
    assert.notEqual(draw(3, 4), draw(4, 4));
    assert.match(draw(3, 4, true), /feGaussianBlur/);
    assert.doesNotMatch(draw(3, 4), /feGaussianBlur|undefined|NaN/);
    assert.ok(draw(3, 4).length < 4000);
  });
});
