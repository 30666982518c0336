import { besideFlood, twiceTheCapacity } from '../load/flood.ts';
import { load, type Round } from '../load/load.ts';
import type { Row } from '../row.ts';
import { mediansOf } from '../load/rounds.ts';

/** Ten times the pings of a thousand people, but few enough that pings do not queue behind each other. */
const PINGS_PER_SECOND = 200;
/** A p99 is decided by one sample in a hundred: this is 9,000 pings in each round. */
const LONGER = 30;

export const flood: Row = {
  name: 'flood',
  limits: `The median is unchanged. A login takes 5 to 6 ms of Core's main thread, in pieces; the threads that hash have a
lower priority.`,
  async measure(bench) {
    const { signal, sizes } = bench;
    const targets = (await bench.system()).core;
    const perSecond = await twiceTheCapacity(targets.login, bench);
    const measureOnce = () =>
      load(targets.ping, LONGER * sizes.seconds, signal, { perSecond: PINGS_PER_SECOND });
    await measureOnce();
    const [alone, flooded]: [Round[], Round[]] = [[], []];
    const counts = { good: 0, refused: 0 };
    for (let round = 0; round < Math.min(3, sizes.rounds); round++) {
      alone.push(await measureOnce());
      flooded.push(await besideFlood(targets.login, perSecond, { signal, counts }, measureOnce));
    }
    const [quiet, busy] = [mediansOf(alone), mediansOf(flooded)];
    const detail = `p99 alone ${quiet.p99.toFixed(2)} ms (${spread(alone)}), during the flood ${busy.p99.toFixed(2)} ms (${spread(flooded)}; p50 ${quiet.p50.toFixed(2)} and ${busy.p50.toFixed(2)} ms), at ${PINGS_PER_SECOND} pings/s; of ${perSecond} logins/s ${((100 * counts.refused) / (counts.good + counts.refused)).toFixed(0)} % refused`;
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
