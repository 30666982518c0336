import assert from 'node:assert/strict';
import { createEvenTime } from './even-time.ts';

/** The time of bcrypt at cost 4; cost 9 takes 32 times as long. */
const COST_4_MS = 8;
const COST_9_MS = 32 * COST_4_MS;

describe('the time of a wrong password', () => {
  const timeWith = async (...highest: number[]): Promise<number> => {
    const evenTime = createEvenTime({ cost: 4 }, async () => [COST_4_MS, 4]);
    const begun = performance.now();
    await evenTime.wait(begun, () => Promise.resolve(highest));
    return performance.now() - begun;
  };

  for (const [what, highest] of [
    ['bcrypt at cost 9', [9]],
    ['an imported hash like it', [56]],
    ['it and a cheap imported one', [9, 22]],
    ['an imported one like it and a cheap one of bcrypt', [4, 56]],
  ] as const) {
    it(`is as long as for ${what}`, async () => {
      assert.ok((await timeWith(...highest)) >= COST_9_MS);
    });
  }

  for (const highest of [[], [4], [4, 36], [22]]) {
    it(`is no longer for the costs [${highest.join()}], which are no higher than ours`, async () => {
      assert.ok((await timeWith(...highest)) < COST_9_MS);
    });
  }
});
