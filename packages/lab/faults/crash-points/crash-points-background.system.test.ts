import { survivesKillsInBackground } from './background-kills.ts';

describe('kill -9 at any step of background work', function () {
  this.timeout(300_000);
  survivesKillsInBackground({ isWhole: false });
});
