import { everyOddTextIsAnswered } from './every-odd-text.ts';

/** The number of texts per place. `npm run test:nightly` sends all of them. */
const SAMPLE = 5;

describe('unusual text is answered', function () {
  this.timeout(180_000);
  everyOddTextIsAnswered(SAMPLE);
});
