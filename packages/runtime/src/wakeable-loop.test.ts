import assert from 'node:assert/strict';
import { startWakeableLoop } from './wakeable-loop.ts';

const LONG_MS = 3_600_000;

describe('startWakeableLoop', () => {
  it('repeats at once while there is more to do, then pauses', async () => {
    let left = 3;
    const steps = track();
    const loop = startWakeableLoop(LONG_MS, async () => {
      steps.count();
      return --left > 0;
    });
    await steps.reach(3);
    await loop.stop();
    assert.equal(steps.total(), 3);
  });

  it('is woken from its pause, and repeats a step during which it was woken', async () => {
    const steps = track();
    let finish: () => void = () => {};
    const loop = startWakeableLoop(LONG_MS, async () => {
      steps.count();
      if (steps.total() === 2) await new Promise<void>((resolve) => (finish = resolve));
      return false;
    });
    await steps.reach(1);
    loop.wake();
    await steps.reach(2);
    loop.wake();
    finish();
    await steps.reach(3);
    await loop.stop();
  });

  it('stops after the running step, without another', async () => {
    const steps = track();
    let finish: () => void = () => {};
    const loop = startWakeableLoop(LONG_MS, async () => {
      steps.count();
      await new Promise<void>((resolve) => (finish = resolve));
      return true;
    });
    await steps.reach(1);
    const stopped = loop.stop();
    finish();
    await stopped;
    assert.equal(steps.total(), 1);
  });
});

/** Counts steps, and waits for a number of them. */
function track() {
  let total = 0;
  let waiting: { steps: number; resolve: () => void } | undefined;
  return {
    total: () => total,
    count: () => {
      total += 1;
      if (waiting !== undefined && total >= waiting.steps) waiting.resolve();
    },
    reach: (steps: number) =>
      total >= steps ? Promise.resolve() : new Promise<void>((resolve) => (waiting = { steps, resolve })),
  };
}
