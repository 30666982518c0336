import { survivesKillsUnderLoad } from '../../faults/crash-points/survives-kills.ts';

describe('kill -9 under load', function () {
  this.timeout(300_000);
  survivesKillsUnderLoad({ isWhole: false });
});
