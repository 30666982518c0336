import type { Row } from '../../row.ts';
import { compare } from '../../load/rounds.ts';

export const pingAuth: Row = {
  name: 'ping-auth',
  about: 'GET /ping/auth (the bearer token check), compared with a bare Express route',
  limits: 'The same as for ping, which only has a body in addition.',
  async measure(bench) {
    const { hello } = await bench.bareExpress();
    const { rate, cpu, detail } = await compare(bench, (await bench.system()).core.pingAuth, hello);
    const title = 'GET /ping/auth : bare Express, hello';
    return [{ id: 'ping-auth', title, value: rate, unit: '×', bar: { atLeast: 1.3 }, detail, cpuRatio: cpu }];
  },
};
