import assert from 'node:assert/strict';
import { createSharedReads } from './work-by-key.ts';

describe('createSharedReads', () => {
  /** Reads that end one by one. */
  const controlled = () => {
    const begun: { key: string; end: (result: string | Error) => void }[] = [];
    const read = createSharedReads(
      (key) =>
        new Promise<string>((resolve, reject) => {
          begun.push({ key, end: (result) => (result instanceof Error ? reject(result) : resolve(result)) });
        }),
    );
    return { read, begun, pass: () => new Promise((resolve) => setImmediate(resolve)) };
  };

  it('never answers with a read that began before the question', async () => {
    const { read, begun, pass } = controlled();
    const first = read('a');
    const later = [read('a'), read('a')];
    assert.equal(begun.length, 1);
    begun[0]?.end('old');
    assert.equal(await first, 'old');
    await pass();
    const latest = read('a');
    begun[1]?.end('new');
    assert.deepEqual(await Promise.all(later), ['new', 'new']);
    await pass();
    begun[2]?.end('newest');
    assert.equal(await latest, 'newest');
    assert.equal(begun.length, 3);
  });

  it('keeps keys apart, and nothing after a read', async () => {
    const { read, begun } = controlled();
    const both = [read('a'), read('b')];
    for (const { key, end } of begun) end(key);
    assert.deepEqual(await Promise.all(both), ['a', 'b']);
    void read('a');
    assert.equal(begun.length, 3);
  });

  it('tells only those of a failure that share it', async () => {
    const { read, begun, pass } = controlled();
    const [first, second] = [read('a'), read('a')];
    begun[0]?.end(new Error('down'));
    await assert.rejects(first, /down/);
    await pass();
    begun[1]?.end('up');
    assert.equal(await second, 'up');
  });
});
