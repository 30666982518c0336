import { survivesKills } from './survives-kills.ts';

describe('kill -9 at every step', function () {
  this.timeout(600_000);
  survivesKills({ isWhole: true });
});
