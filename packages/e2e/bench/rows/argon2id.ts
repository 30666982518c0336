import { availableParallelism } from 'node:os';
import { openBareHash } from '../load/bare-hash.ts';
import { load } from '../load/load.ts';
import type { Bench, Row } from '../row.ts';
import { median } from '../load/rounds.ts';

const COST = 10;
const OTHERS = 200;
/** Enough to keep all threads busy, and few enough not to fill the queue. */
const CONNECTIONS = 4 * availableParallelism();
/** A login takes as long as hundreds of pings. */
const LONGER = 2;

export const argon2id: Row = {
  name: 'argon2id',
  about: 'logins with PASSWORD_HASH=argon2id, compared with bcrypt at cost 10',
  limits: `Hashing alone is five to seven times as fast as with bcrypt: 12 to 17 ms of CPU. The kernel takes 2 to 3 of them, because the
library allocates the 19 MiB again for each hash; no setting of its allocator changes that, and the argon2 of other packages and of
Node 24 takes twice as long. For five times as many logins, the rest of a login would have to take less than 4 ms of CPU, and it takes
9 to 13 (see login).`,
  async measure(bench) {
    const bcrypt = await openSide(bench, 'bcrypt');
    const argon = await openSide(bench, 'argon2id');
    for (let round = 0; round <= bench.sizes.rounds; round++) {
      // The first round is a warm-up.
      for (const side of [bcrypt, argon]) await side.measureOnce(round > 0);
    }
    const ratioOf = (what: 'logins' | 'hashes'): number =>
      median(argon[what].map((rate, round) => rate / (bcrypt[what][round] ?? Number.NaN)));
    const rates = (what: 'logins' | 'hashes'): string =>
      `${median(argon[what]).toFixed(1)}/s and ${median(bcrypt[what]).toFixed(1)}/s`;
    const detail = `logins ${rates('logins')}; the hash alone ${rates('hashes')}, which is ${ratioOf('hashes').toFixed(2)} ×, on ${availableParallelism()} cores`;
    bench.say(`  ${detail}`);
    const title = 'logins by argon2id (19 MiB, two passes) : by bcrypt at cost 10';
    return [{ id: 'argon2id', title, value: ratioOf('logins'), unit: '×', bar: { atLeast: 5 }, detail }];
  },
};

/** Measures logins to a separate system, and the hash alone. */
async function openSide(bench: Bench, algorithm: 'bcrypt' | 'argon2id') {
  const { signal, sizes } = bench;
  const system = await bench.ownSystem({
    bcryptCost: COST,
    passwordHash: algorithm,
    users: 0,
    others: OTHERS,
  });
  const bare = openBareHash({ algorithm, cost: COST });
  bench.onEnd(() => bare.close());
  const seconds = LONGER * sizes.seconds;
  const [logins, hashes]: [number[], number[]] = [[], []];
  return {
    logins,
    hashes,
    async measureOnce(isCounted: boolean): Promise<void> {
      const hashRate = await bare.rate(seconds, CONNECTIONS);
      const { requestsPerSecond } = await load(system.core.login, seconds, signal, {
        connections: CONNECTIONS,
      });
      if (!isCounted) return;
      hashes.push(hashRate);
      logins.push(requestsPerSecond);
    },
  };
}
