import { availableParallelism } from 'node:os';
import { createPasswords } from '@gatehouse/auth-core';
import { createLog } from '@gatehouse/runtime';
import { load } from '../load/load.ts';
import type { Row } from '../row.ts';
import { median } from '../load/rounds.ts';

const COST = 10;
/** Enough to keep every thread at work, and few enough for the queue. */
const CONNECTIONS = 4 * availableParallelism();
/** A login takes as long as hundreds of pings. */
const LONGER = 2;

export const login: Row = {
  name: 'login',
  about: 'logins at bcrypt cost 10, compared with hashing alone on all cores',
  limits: `Beside its hash of 60 ms a login takes 8 to 10 ms of CPU on the same cores: some 4 in Core, for thirteen statements
at a rate at which Node compiles nothing to fast code, 2 to 4 in Postgres, 2 in the relay, RabbitMQ and who asks. Kept:
statements prepared by name, which spares Postgres the planning. One statement fewer is one promise fewer.`,
  async measure(bench) {
    const { signal, sizes } = bench;
    const target = (await bench.system()).core.login;
    const log = createLog({ service: 'bench', level: 'error' });
    const passwords = createPasswords({ pepper: 'any', cost: COST, threads: 0, minLength: 8, log });
    bench.onEnd(() => passwords.close());
    const seconds = LONGER * sizes.seconds;
    const [hashes, logins]: [number[], number[]] = [[], []];
    await load(target, seconds, signal, { connections: CONNECTIONS });
    await hashFor(seconds, passwords.verifyNothing);
    for (let round = 0; round < sizes.rounds; round++) {
      hashes.push(await hashFor(seconds, passwords.verifyNothing));
      const { requestsPerSecond } = await load(target, seconds, signal, { connections: CONNECTIONS });
      logins.push(requestsPerSecond);
    }
    const detail = `${median(logins).toFixed(1)} logins/s; the hash alone ${median(hashes).toFixed(1)}/s on ${availableParallelism()} cores`;
    bench.say(`  ${detail}`);
    const value = median(logins.map((rate, round) => rate / (hashes[round] ?? Number.NaN)));
    const title = 'logins at bcrypt cost 10 : what the hash alone allows on all cores';
    return [{ id: 'login', title, value, unit: '×', bar: { atLeast: 0.93 }, detail }];
  },
};

/** Comparisons of a password a second, on as many threads as there are cores and from here alone. */
async function hashFor(seconds: number, compareOne: (password: string) => Promise<false>): Promise<number> {
  const began = performance.now();
  let done = 0;
  const next = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1000) {
      await compareOne('correct horse battery');
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, next));
  return (done * 1000) / (performance.now() - began);
}
