import assert from 'node:assert/strict';
import { drawFace } from './draw-face.ts';

describe('a drawn face', () => {
  it('is the same at every run, different in each picture, and small', () => {
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
