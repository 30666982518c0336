import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { startInstallation, type Installation } from './installation.ts';

describe('gatehouse-verify when the host’s clock changes', function () {
  this.timeout(60_000);
  let at: Installation;
  before(async () => {
    at = await startInstallation();
  });
  after(() => at.stop());

  it('measures the silence of the feed correctly', async () => {
    const { now } = Date;
    let shift = 0;
    Date.now = () => now() + shift;
    try {
      const verifier = at.verifier({ feed: { token: at.feed } });
      await eventually(() => verifier.isFresh);
      shift = 60_000;
      assert.ok(verifier.isFresh);
    } finally {
      Date.now = now;
    }
  });
});
