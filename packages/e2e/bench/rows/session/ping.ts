import type { Row } from '../../row.ts';
import { compare } from '../../load/rounds.ts';

export const ping: Row = {
  name: 'ping',
  about: 'POST /account/ping, compared with a JSON POST to bare Express',
  limits: `A profile on Node 24 shows where Core spends its CPU time: 27 to 33 % writing the answer to its socket, 11 % in the event loop and
Node's parser, 12 % querying Redis (of which 8 for the write to its socket), 5 % on the token's hash and grammar, 5 % on the log line, 1 to 5 % on
garbage collection. Optimizations in use: answers are sent in one write, bodies are read without listeners, log lines are composed once and written
in batches, and sessions are parsed only if they have changed. Tried without success: delaying a batch until Redis has answered the previous one
(0.9 to 1 of the speed), a larger young generation (no difference), answers written as Latin-1 (no difference).`,
  async measure(bench) {
    const { post } = await bench.bareExpress();
    const { rate, cpu, detail } = await compare(bench, (await bench.system()).core.ping, post);
    const title = 'POST /account/ping : bare Express, POST of JSON';
    return [{ id: 'ping', title, value: rate, unit: '×', bar: { atLeast: 1.3 }, detail, cpuRatio: cpu }];
  },
};
