import assert from 'node:assert/strict';
import { waitAfter } from './deliver-hook.ts';

describe('the schedule of retries', () => {
  const wait = (tries: number, retryAfterSeconds?: number) =>
    waitAfter({ tries, ageSeconds: 0 }, retryAfterSeconds, () => 1);

  it('grows from seconds to half a day, and ends after three days', () => {
    const waits = Array.from({ length: 10 }, (_, index) => wait(index + 1));
    assert.deepEqual(waits, [5, 60, 300, 1800, 7200, 18_000, 36_000, 43_200, 43_200, 43_200]);
    assert.equal(waitAfter({ tries: 3, ageSeconds: 3 * 86_400 }), undefined);
  });

  it('is jittered, but never sooner than a receiver asks, up to twelve hours', () => {
    assert.equal(
      waitAfter({ tries: 2, ageSeconds: 0 }, 0, () => 0),
      45,
    );
    assert.equal(wait(1, 100), 100);
    assert.equal(wait(1, 1_000_000), 43_200);
    assert.equal(wait(3, 1), 300);
  });

  it('of the end of a session has at least an attempt every five minutes, until it is of no use', () => {
    const patienceSeconds = 3600;
    const waits = [1, 2, 3, 4, 9].map((tries) =>
      waitAfter({ tries, ageSeconds: 0, patienceSeconds }, 0, () => 1),
    );
    assert.deepEqual(waits, [5, 60, 300, 300, 300]);
    assert.equal(
      waitAfter({ tries: 9, ageSeconds: 0, patienceSeconds }, 7200, () => 1),
      300,
    );
    for (const ageSeconds of [3300, 3600])
      assert.equal(
        waitAfter({ tries: 14, ageSeconds, patienceSeconds }, 0, () => 1),
        undefined,
      );
  });
});
