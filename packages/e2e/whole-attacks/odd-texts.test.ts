import { everyOddTextIsAnswered } from '../attacks/text/every-odd-text.ts';

describe('every unusual text in every place is answered', function () {
  this.timeout(1_800_000);
  everyOddTextIsAnswered();
});
