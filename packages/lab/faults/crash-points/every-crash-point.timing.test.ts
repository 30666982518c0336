import { survivesKillsInBackground } from './background-kills.ts';
import { survivesKillsDuringRequests } from './kills.ts';

describe('kill -9 at every step of a request', function () {
  this.timeout(600_000);
  survivesKillsDuringRequests({ isWhole: true });
});

describe('kill -9 at every step of background work', function () {
  this.timeout(600_000);
  survivesKillsInBackground({ isWhole: true });
});
