import { survivesCrashes } from './crashes.ts';
import { startWorld, type World } from '../testing/index.ts';

describe('crashes and rotations under load', function () {
  this.timeout(180_000);
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world.stop());

  survivesCrashes(() => world);
});
