import { testGuestJourney } from './guest-journey.ts';
import { startWorld, type World } from '../testing/index.ts';

describe('a guest over the gateway', function () {
  this.timeout(120_000);
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world.stop());

  testGuestJourney(() => world);
});
