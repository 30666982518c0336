import assert from 'node:assert/strict';
import { cast, type Person } from '../testing/cast.ts';

const PAIRS = 500;
/** In standard deviations: a probability of 0.01 for equal times. */
const REACH = 2.58;
const ROUNDS_MAX = 2;

describe('a request for a login code', function () {
  this.timeout(300_000);
  const { member, someone } = cast({ EMAIL_LOGIN: 'users' });

  const timeOf = async (ann: Person): Promise<number> => {
    const begun = performance.now();
    await ann.post('/account/login/email', { Email: ann.email }).expect(202);
    return performance.now() - begun;
  };

  it('takes the same time for an email with and without an account', async () => {
    const known = await member();
    let deviation = Infinity;
    // Equal times fail one round of a hundred, and so are measured twice.
    for (let round = 0; round < ROUNDS_MAX && Math.abs(deviation) > REACH; round += 1) {
      let slower = 0;
      for (let pair = 0; pair < PAIRS; pair += 1) {
        const unknown = someone();
        // Alternates who is first, because a request may delay the next one.
        const first = await timeOf(pair % 2 === 0 ? known : unknown);
        const second = await timeOf(pair % 2 === 0 ? unknown : known);
        if (first > second === (pair % 2 === 0)) slower += 1;
      }
      deviation = (slower - PAIRS / 2) / Math.sqrt(PAIRS / 4);
    }
    assert.ok(Math.abs(deviation) <= REACH, `${deviation} standard deviations`);
  });
});
