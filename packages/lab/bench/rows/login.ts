import { availableParallelism } from 'node:os';
import { openBareHash } from '../load/bare-hash.ts';
import { BUSY } from '../load/flood.ts';
import { load } from '../load/load.ts';
import type { Row } from '../row.ts';
import { median } from '../load/rounds.ts';

const COST = 10;
/** A login takes as long as hundreds of pings. */
const LONGER = 2;

export const login: Row = {
  name: 'login',
  limits: `Beside its hash, a login takes 9 to 13 ms of CPU: 5 to 6 in Core, 3 in Postgres, the rest in RabbitMQ, Redis, other
services and the client.`,
  async measure(bench) {
    const { signal, sizes } = bench;
    const target = (await bench.system()).core.login;
    const bare = openBareHash(COST);
    bench.onEnd(() => bare.close());
    const seconds = LONGER * sizes.seconds;
    const [hashes, logins]: [number[], number[]] = [[], []];
    await load(target, seconds, signal, BUSY);
    await bare.rate(seconds, BUSY.connections);
    for (let round = 0; round < sizes.rounds; round++) {
      hashes.push(await bare.rate(seconds, BUSY.connections));
      logins.push((await load(target, seconds, signal, BUSY)).requestsPerSecond);
    }
    const detail = `${median(logins).toFixed(1)} logins/s; the hash alone ${median(hashes).toFixed(1)}/s on ${availableParallelism()} cores`;
    const value = median(logins.map((rate, round) => rate / (hashes[round] ?? Number.NaN)));
    const title = 'logins at bcrypt cost 10 : hashing alone on all cores';
    return [{ id: 'login', title, value, unit: '×', bar: { atLeast: 0.95 }, detail }];
  },
};
