import assert from 'node:assert/strict';
import { eventually } from './testing/index.ts';
import { startWakeableLoop } from './wakeable-loop.ts';

const LONG_MS = 3_600_000;

describe('startWakeableLoop', () => {
  it('repeats at once while there is more to do, then pauses', async () => {
    let left = 3;
    let steps = 0;
    const loop = startWakeableLoop(LONG_MS, async () => {
      steps += 1;
      return --left > 0;
    });
    await eventually(() => steps === 3);
    await loop.stop();
    assert.equal(steps, 3);
  });

  it('is woken from its pause, and repeats a step during which it was woken', async () => {
    let steps = 0;
    let finish: () => void = () => {};
    const loop = startWakeableLoop(LONG_MS, async () => {
      steps += 1;
      if (steps === 2) await new Promise<void>((resolve) => (finish = resolve));
      return false;
    });
    await eventually(() => steps === 1);
    loop.wake();
    await eventually(() => steps === 2);
    loop.wake();
    finish();
    await eventually(() => steps === 3);
    await loop.stop();
  });

  it('stops after the running step, without another', async () => {
    let steps = 0;
    let finish: () => void = () => {};
    const loop = startWakeableLoop(LONG_MS, async () => {
      steps += 1;
      await new Promise<void>((resolve) => (finish = resolve));
      return true;
    });
    await eventually(() => steps === 1);
    const stopped = loop.stop();
    finish();
    await stopped;
    assert.equal(steps, 1);
  });
});
