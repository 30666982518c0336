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

  it('gives the next place to another group than the one that fills the queue, which loses one', async () => {
    const limit = createLimiter({ width: 1, waitingMax: 8, waitMs: 1000 });
    const order: string[] = [];
    let end = (): void => {};
    const running = limit(() => new Promise<void>((resolve) => (end = resolve)), ['a', 'x']);
    const job = (group: string) => limit(async () => void order.push(group), [group, 'x']);
    const full = ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'd'].map(job);
    const refusals = assert.rejects(job('a'), QueueFull);
    const displaced = Promise.allSettled(full);
    const other = job('e');
    end();
    await Promise.all([running, refusals, other]);
    const results = (await displaced).map(({ status }) => status);
    assert.equal(results.filter((status) => status === 'rejected').length, 1);
    assert.deepEqual(order.slice(0, 5).toSorted(), ['a', 'b', 'c', 'd', 'e']);
    assert.equal(limit.load().waiting, 0);
  });
});
