import assert from 'node:assert/strict';
import { createLimiter, QueueFull } from './limiter.ts';

describe('createLimiter', () => {
  it('limits concurrent jobs, and queues the rest in order', async () => {
    const limit = createLimiter({ width: 2, waitingMax: 10, waitMs: 1000 });
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const job = (i: number) => {
      begun.push(i);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const jobs = [0, 1, 2, 3].map((i) => limit(() => job(i)));
    assert.deepEqual(begun, [0, 1]);
    for (let i = 0; i < jobs.length; i += 1) {
      ends[i]?.();
      await jobs[i];
      await new Promise(setImmediate);
    }
    assert.deepEqual(begun, [0, 1, 2, 3]);
  });

  it('refuses at once when the queue is full, and after a timeout in the queue', async () => {
    const limit = createLimiter({ width: 1, waitingMax: 1, waitMs: 20 });
    let end = (): void => {};
    const running = limit(() => new Promise<void>((resolve) => (end = resolve)));
    const late = limit(async () => assert.fail('had no turn'));
    const refused = limit(async () => {});
    await assert.rejects(refused, QueueFull);
    await assert.rejects(late, QueueFull);
    end();
    await running;
    assert.equal(await limit(async () => 'free again'), 'free again');
  });

  it('continues after a job that fails', async () => {
    const limit = createLimiter({ width: 1, waitingMax: 1, waitMs: 1000 });
    const failing = limit(() => Promise.reject(new Error('no')));
    const next = limit(async () => 'next');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'next');
  });
});
