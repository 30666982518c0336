import { everyOddTextIsAnswered } from '../attacks/text/every-odd-text.ts';

describe('every odd text in every place is answered', function () {
  this.timeout(1_800_000);
  everyOddTextIsAnswered();
});
