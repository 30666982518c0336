import type { Row } from '../../row.ts';
import { compare } from '../../load/rounds.ts';

export const ping: Row = {
  name: 'ping',
  about: 'POST /account/ping, compared with a JSON POST to bare Express',
  limits: `On Node 24, Core spends a third of its CPU time writing answers to sockets, 12 % querying Redis, 11 % in the event loop and
Node's parser, 5 % on the token's hash and grammar, and 5 % on the log line. Tried without a gain: serving paths before
Express sees them, sockets without a timeout, and sessions from memory without a query to Redis
([decision 12](../decisions/0012-cached-sessions.md)). The ratio depends on the processor: 1.36 on an AMD EPYC.`,
  async measure(bench) {
    const { post } = await bench.bareExpress();
    const { rate, cpu, detail } = await compare(bench, (await bench.system()).core.ping, post);
    const title = 'POST /account/ping : bare Express, POST of JSON';
    return [{ id: 'ping', title, value: rate, unit: '×', bar: { atLeast: 1.8 }, detail, cpuRatio: cpu }];
  },
};
