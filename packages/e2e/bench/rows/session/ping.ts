import type { Row } from '../../row.ts';
import { compare } from '../../load/rounds.ts';

export const ping: Row = {
  name: 'ping',
  about: 'POST /account/ping, compared with a JSON POST to bare Express',
  limits: `On Node 24, Core spends 27 to 33 % of its CPU time writing answers to sockets, 12 % querying Redis, 11 % in the event loop and
Node's parser, 5 % on the token's hash and grammar, and 5 % on the log line.`,
  async measure(bench) {
    const { post } = await bench.bareExpress();
    const { rate, cpu, detail } = await compare(bench, (await bench.system()).core.ping, post);
    const title = 'POST /account/ping : bare Express, POST of JSON';
    return [{ id: 'ping', title, value: rate, unit: '×', bar: { atLeast: 1.3 }, detail, cpuRatio: cpu }];
  },
};
