import { survivesKills } from '../../faults/crash-points/survives-kills.ts';

describe('kill -9 at any step', function () {
  this.timeout(300_000);
  survivesKills({ isWhole: false });
});
