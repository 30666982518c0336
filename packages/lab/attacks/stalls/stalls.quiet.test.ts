import { ATTACK_SEED } from '../attack-settings.ts';
import { nothingStalls } from './nothing-stalls.ts';

/** The number of requests per kind of place. `npm run test:nightly` sends all of them. */
const SAMPLE = 100;

describe(`a request that is filled to its limits (seed ${ATTACK_SEED})`, function () {
  this.timeout(120_000);
  nothingStalls(ATTACK_SEED, SAMPLE);
});
