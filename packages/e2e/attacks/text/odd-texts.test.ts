import { everyOddTextIsAnswered } from './every-odd-text.ts';

/** In each place; `npm run test:attacks` sends it all. */
const SAMPLE = 5;

describe('odd text is answered', function () {
  this.timeout(180_000);
  everyOddTextIsAnswered(SAMPLE);
});
