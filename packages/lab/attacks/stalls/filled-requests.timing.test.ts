import { nothingStalls } from './nothing-stalls.ts';

describe('every request that is filled to its limits', function () {
  this.timeout(1_200_000);
  nothingStalls(0, Infinity);
});
