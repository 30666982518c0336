import assert from 'node:assert/strict';
import { ageOf } from './typed.ts';

describe('ageOf', () => {
  it('uses the largest unit that the seconds fill, in the language of the page', () => {
    const ages = [0, 59.9, 60, 948, 3_599, 7_200, 86_400].map((seconds) => ageOf(seconds, 'en'));
    assert.deepEqual(ages, [
      '0 seconds',
      '59 seconds',
      '1 minute',
      '15 minutes',
      '59 minutes',
      '2 hours',
      '1 day',
    ]);
    assert.equal(ageOf(948, 'de'), '15 Minuten');
  });
});
