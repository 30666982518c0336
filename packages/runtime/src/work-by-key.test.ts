import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createRecentReads } from './work-by-key.ts';

describe('createRecentReads', () => {
  /** Reads that end one by one. */
  const controlled = (maxAgeMs: number) => {
    const begun: { key: string; end: (result: string | Error) => void }[] = [];
    const read = createRecentReads(
      (key) =>
        new Promise<string>((resolve, reject) => {
          begun.push({ key, end: (result) => (result instanceof Error ? reject(result) : resolve(result)) });
        }),
      { maxAgeMs, max: 100 },
    );
    return { read, begun };
  };

  it('reads a key once for all who ask in that time, also afterwards', async () => {
    const { read, begun } = controlled(60_000);
    const both = [read('a'), read('a')];
    begun[0]?.end('one');
    assert.deepEqual([...(await Promise.all(both)), await read('a')], ['one', 'one', 'one']);
    void read('b');
    const keys = begun.map(({ key }) => key);
    assert.deepEqual(keys, ['a', 'b']);
  });

  it('counts the time from the beginning of the read, so that a slow one is not remembered for longer', async () => {
    const { read, begun } = controlled(20);
    const slow = read('a');
    await pause(30);
    begun[0]?.end('old');
    assert.equal(await slow, 'old');
    const next = read('a');
    begun[1]?.end('new');
    assert.equal(await next, 'new');
  });

  it('tells only those of a failure that share it', async () => {
    const { read, begun } = controlled(60_000);
    const both = [read('a'), read('a')];
    begun[0]?.end(new Error('down'));
    for (const one of both) await assert.rejects(one, /down/);
    const next = read('a');
    begun[1]?.end('up');
    assert.equal(await next, 'up');
  });
});
