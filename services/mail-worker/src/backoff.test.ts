import assert from 'node:assert/strict';
import { waitAfter } from './deliver-mail.ts';

const HOUR = 3600;

describe('waitAfter', () => {
  it('waits longer each time, spread over a quarter', () => {
    const longest = Array.from({ length: 12 }, (_, index) =>
      waitAfter('deferred', { tries: index + 1, ageSeconds: 0 }, () => 1),
    );
    assert.deepEqual(longest, [10, 30, 60, 120, 300, 600, 1200, 1800, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR]);
    assert.equal(
      waitAfter('deferred', { tries: 1, ageSeconds: 0 }, () => 0),
      7.5,
    );
  });

  it('gives up a mail after twelve attempts over most of a day, not before', () => {
    assert.equal(waitAfter('deferred', { tries: 12, ageSeconds: 17 * HOUR }), undefined);
    assert.ok(waitAfter('deferred', { tries: 12, ageSeconds: HOUR }));
    assert.ok(waitAfter('deferred', { tries: 1, ageSeconds: 17 * HOUR }));
  });

  it('retries longer and more often when no mail can be sent, and first within five seconds', () => {
    assert.equal(
      waitAfter('unreachable', { tries: 1, ageSeconds: 0 }, () => 1),
      5,
    );
    assert.equal(
      waitAfter('unreachable', { tries: 40, ageSeconds: 17 * HOUR }, () => 1),
      300,
    );
    for (const failure of ['unreachable', 'ours'] as const) {
      assert.ok(Number(waitAfter(failure, { tries: 40, ageSeconds: 71 * HOUR })) <= HOUR);
      assert.equal(waitAfter(failure, { tries: 40, ageSeconds: 73 * HOUR }), undefined);
    }
  });
});
