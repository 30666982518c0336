import { attackSeed } from '../attack-settings.ts';
import { nothingStalls } from './nothing-stalls.ts';

/** The number of requests per kind of place. `npm run test:nightly` sends all of them. */
const SAMPLE = 100;

const seed = attackSeed();

describe(`a request that is filled to its limits (seed ${seed})`, function () {
  this.timeout(120_000);
  nothingStalls(seed, SAMPLE);
});
