import type { Row } from '../row.ts';
import { compare } from '../rounds.ts';

export const ping: Row = {
  name: 'ping',
  about: 'POST /account/ping against a POST of JSON to bare Express',
  limits: `A ping costs Core 36 µs of CPU where nothing else slows the machine. Node's HTTP alone takes 14 of them, and four tenths are two
writes to sockets: the answer, and its share of the batch for Redis. On two cores Redis and who asks take another 17 µs.
Kept: an answer in one write, bodies read without listeners, one log line built by hand, a chain in the place of a set.
Tried and left: holding a batch back until Redis has answered the last (0.97 of the speed), a larger young generation
(3 % for 100 MB).`,
  async measure(bench) {
    const { post } = await bench.bareExpress();
    const { rate, cpu, detail } = await compare(bench, (await bench.system()).core.ping, post);
    const title = 'POST /account/ping : bare Express, POST of JSON';
    return [{ id: 'ping', title, value: rate, unit: '×', bar: { atLeast: 1.3 }, detail, cpuRatio: cpu }];
  },
};
