import { testAccountJourney } from './account-journey.ts';
import { startWorld, type World } from '../testing/index.ts';

describe('an account over the gateway', function () {
  this.timeout(120_000);
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world.stop());

  testAccountJourney(() => world);
});
