import { readMetric } from '../system/core-targets.ts';
import { load } from '../load/load.ts';
import type { Row } from '../row.ts';

/** The share of the time after which the memory of a process has settled. */
const SETTLED = 0.1;
const STRETCH_SECONDS = 5;

export const soak: Row = {
  name: 'soak',
  about: 'memory of Core after --soak seconds at full load, compared with a tenth of that time',
  isOptional: true,
  async measure(bench) {
    const { signal, sizes } = bench;
    const system = await bench.system();
    const targets = system.core;
    const memory = (): Promise<number> =>
      readMetric(system.metricsUrls.core, 'process_resident_memory_bytes');
    const began = performance.now();
    const passed = (): number => (performance.now() - began) / 1000;
    let early: number | undefined;
    while (passed() < sizes.soakSeconds) {
      for (const target of [targets.ping, targets.pingAuth, targets.refresh]) {
        await load(target, Math.min(STRETCH_SECONDS, sizes.soakSeconds / 20), signal);
      }
      if (early === undefined && passed() >= SETTLED * sizes.soakSeconds) {
        early = await memory();
        bench.say(`  ${mebibytes(early)} after ${Math.round(passed())} s`);
      }
    }
    const late = await memory();
    const detail = `${mebibytes(early ?? late)} after ${Math.round(SETTLED * sizes.soakSeconds)} s, ${mebibytes(late)} after ${sizes.soakSeconds} s of pings, checks and refreshes in turn`;
    bench.say(`  ${detail}`);
    const title = 'memory of Core after ten minutes at full load : after one';
    const value = late / (early ?? late);
    return [{ id: 'soak', title, value, unit: '×', bar: { atMost: 1.2 }, detail }];
  },
};

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
