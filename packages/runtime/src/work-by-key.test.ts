import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createRecentReads } from './work-by-key.ts';

describe('createRecentReads', () => {
  it('counts the time from the beginning of the read, so that a slow one is not remembered for longer', async () => {
    const begun: ((result: string) => void)[] = [];
    const begin = () => new Promise<string>((resolve) => begun.push(resolve));
    const read = createRecentReads(begin, { maxAgeMs: 20, max: 100 });
    const slow = read('a');
    await pause(30);
    begun[0]?.('old');
    assert.equal(await slow, 'old');
    const next = read('a');
    begun[1]?.('new');
    assert.equal(await next, 'new');
  });
});
