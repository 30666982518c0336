import type { Row } from '../row.ts';
import { compare } from '../rounds.ts';

export const ping: Row = {
  name: 'ping',
  about: 'POST /account/ping against a POST of JSON to bare Express',
  async measure(bench) {
    const { post } = await bench.bareExpress();
    const { rate, cpu, detail } = await compare(bench, (await bench.system()).core.ping, post);
    const title = 'POST /account/ping : bare Express, POST of JSON';
    return [{ id: 'ping', title, value: rate, unit: '×', bar: { atLeast: 2.5 }, detail, cpuRatio: cpu }];
  },
};
