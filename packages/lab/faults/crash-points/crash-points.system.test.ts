import { survivesKillsDuringRequests } from './kills.ts';

describe('kill -9 at any step of a request', function () {
  this.timeout(300_000);
  survivesKillsDuringRequests({ isWhole: false });
});
