import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFlood } from '../load/start-flood.ts';
import { load, type Round } from '../load/load.ts';
import type { Row } from '../row.ts';
import { mediansOf } from '../load/rounds.ts';

/** Ten times the pings of a thousand people, but few enough that pings do not queue behind each other. */
const PINGS_PER_SECOND = 200;
/** A p99 is decided by one sample in a hundred: this is 9,000 pings in each round. */
const LONGER = 30;
/** Long enough to fill the queue of passwords. */
const FILLING_MS = 3000;

export const flood: Row = {
  name: 'flood',
  about: 'p99 of pings while logins arrive at twice the capacity, compared with pings alone',
  limits: `The median is unchanged. A login takes 5 to 6 ms of Core's main thread, in pieces; the threads that hash have a
lower priority.`,
  async measure(bench) {
    const { signal, sizes } = bench;
    const targets = (await bench.system()).core;
    const capacity = await load(targets.login, 2 * sizes.seconds, signal, {
      connections: 4 * availableParallelism(),
    });
    const perSecond = Math.ceil(2 * capacity.requestsPerSecond);
    const measureOnce = () =>
      load(targets.ping, LONGER * sizes.seconds, signal, { perSecond: PINGS_PER_SECOND });
    await measureOnce();
    const [alone, flooded]: [Round[], Round[]] = [[], []];
    const answers = { good: 0, refused: 0 };
    for (let round = 0; round < Math.min(3, sizes.rounds); round++) {
      alone.push(await measureOnce());
      const running = startFlood(targets.login, perSecond);
      try {
        await sleep(FILLING_MS, undefined, { signal });
        flooded.push(await measureOnce());
      } finally {
        const counts = await running.stop();
        answers.good += counts.good;
        answers.refused += counts.refused;
      }
    }
    const [quiet, busy] = [mediansOf(alone), mediansOf(flooded)];
    const detail = `p99 alone ${quiet.p99.toFixed(2)} ms (${spread(alone)}), during the flood ${busy.p99.toFixed(2)} ms (${spread(flooded)}; p50 ${quiet.p50.toFixed(2)} and ${busy.p50.toFixed(2)} ms), at ${PINGS_PER_SECOND} pings/s; of ${perSecond} logins/s ${((100 * answers.refused) / (answers.good + answers.refused)).toFixed(0)} % refused`;
    bench.say(`  ${detail}`);
    return [
      {
        id: 'flood',
        title: 'p99 of ping during a flood of logins at twice the capacity : p99 of ping alone',
        value: busy.p99 / quiet.p99,
        unit: '×',
        bar: { atMost: 3 },
        detail,
      },
    ];
  },
};

/** `1.90 to 2.30` */
function spread(rounds: readonly Round[]): string {
  const values = rounds.map(({ p99Milliseconds }) => p99Milliseconds);
  return `${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)}`;
}
