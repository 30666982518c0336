import { testAccountJourney } from './account-journey.ts';
import { testFacesJourney } from './faces-journey.ts';
import { testGuestJourney } from './guest-journey.ts';
import { testSsoJourney } from './sso-journey.ts';
import { testTourJourney } from './tour-journey.ts';
import { startWorld, type World } from '../testing/index.ts';

describe('the whole system', function () {
  this.timeout(180_000);
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world.stop());

  describe('and an account over the gateway', () => testAccountJourney(() => world));
  describe('and a guest over the gateway', () => testGuestJourney(() => world));
  describe('and single sign-on at the demo provider, in a browser', () => testSsoJourney(() => world));
  describe('and a newcomer with README and tour', () => testTourJourney(() => world));
  describe('and faces', () => testFacesJourney(() => world));
});
