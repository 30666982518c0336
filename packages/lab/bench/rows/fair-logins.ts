import { besideFlood, twiceTheCapacity } from '../load/flood.ts';
import { ask } from '../load/load.ts';
import { median } from '../load/rounds.ts';
import type { Row } from '../row.ts';

const LOGINS = 20;
/** What a login that fails counts as. */
const FAILED_MS = 60_000;

export const fairLogins: Row = {
  name: 'fair-logins',
  async measure(bench) {
    const { signal } = bench;
    const { login } = (await bench.system()).core;
    const perSecond = await twiceTheCapacity(login, bench);
    const requests = login.requests.slice(0, LOGINS);
    /** The times of logins, each from another address. */
    const measureAll = async (network: string): Promise<number[]> => {
      const times: number[] = [];
      for (const [at, asked] of requests.entries()) {
        const began = performance.now();
        const headers = { ...asked.headers, 'x-forwarded-for': `${network}.${at}` };
        const answer = await ask(login.url, { ...asked, headers }, signal);
        await answer.arrayBuffer();
        times.push(answer.ok ? performance.now() - began : FAILED_MS);
      }
      return times;
    };
    const alone = await measureAll('198.51.100');
    const beside = await besideFlood(login, perSecond, { signal }, () => measureAll('203.0.113'));
    const succeeded = beside.filter((milliseconds) => milliseconds < FAILED_MS).length;
    const detail = `${succeeded} of ${LOGINS} succeeded, median ${median(beside).toFixed(0)} ms (alone ${median(alone).toFixed(0)} ms), beside ${perSecond} logins/s from one address`;
    const title = 'the slowest of 20 logins of others during a flood of logins from one address';
    const value = Math.max(...beside) / 1000;
    return [{ id: 'fair-logins', title, value, unit: 's', bar: { atMost: 2 }, detail }];
  },
};
