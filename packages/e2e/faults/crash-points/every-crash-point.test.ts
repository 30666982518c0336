import { survivesKills, survivesKillsUnderLoad } from './survives-kills.ts';

describe('kill -9 at every step', function () {
  this.timeout(600_000);
  survivesKills({ isWhole: true });
});

describe('kill -9 under load', function () {
  this.timeout(600_000);
  survivesKillsUnderLoad({ isWhole: true });
});
