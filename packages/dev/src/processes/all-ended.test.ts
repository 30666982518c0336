import assert from 'node:assert/strict';
import { allEnded } from './all-ended.ts';

describe('allEnded', () => {
  it('returns all results in order', async () => {
    assert.deepEqual(await allEnded([Promise.resolve(1), 'two', Promise.resolve(3)]), [1, 'two', 3]);
  });

  it('rejects only after all others have ended', async () => {
    let end = (): void => {};
    const other = new Promise<void>((resolve) => (end = resolve));
    let isSettled = false;
    const outcome = allEnded([Promise.reject(new Error('broken')), other]).catch((error: unknown) => {
      isSettled = true;
      return error;
    });
    await new Promise(setImmediate);
    assert.equal(isSettled, false);
    end();
    assert.match(String(await outcome), /broken/);
  });
});
