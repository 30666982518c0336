import type { Row } from '../../row.ts';
import { compare } from '../../load/rounds.ts';

export const ping: Row = {
  name: 'ping',
  about: 'POST /account/ping, compared with a JSON POST to bare Express',
  limits: `Of Core's CPU time a profile on Node 24 shows 27 to 33 % in writing the answer to its socket, 11 % in the event loop and
Node's parser, 12 % in asking Redis (8 of them the write to its socket), 5 % in the token's hash and grammar, 5 % in the log line, 1 to 5 % in
collecting garbage. Kept: an answer in one write, bodies read without listeners, a log line that is put together once and written with
others, sessions that are taken apart only when they have changed. Tried and left: holding a batch back until Redis has answered the last
(0.9 to 1 of the speed), a larger young generation (no difference), answers written as Latin-1 (none).`,
  async measure(bench) {
    const { post } = await bench.bareExpress();
    const { rate, cpu, detail } = await compare(bench, (await bench.system()).core.ping, post);
    const title = 'POST /account/ping : bare Express, POST of JSON';
    return [{ id: 'ping', title, value: rate, unit: '×', bar: { atLeast: 1.3 }, detail, cpuRatio: cpu }];
  },
};
