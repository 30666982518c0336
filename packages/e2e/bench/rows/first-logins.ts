import { setTimeout as sleep } from 'node:timers/promises';
import { bearerOf, readMetric } from '../system/core-targets.ts';
import { load, type Round } from '../load/load.ts';
import type { Row } from '../row.ts';
import { mediansOf } from '../load/rounds.ts';
import type { System } from '../system/system.ts';
import { logIn, loginOf } from '../system/users.ts';

const ACCOUNTS = 1000;
const THREADS = 2;
/** Two logins are hashed at a time, and two wait in the queue. */
const WIDTH = 4;
const PINGS_PER_SECOND = 200;
const USERS = 50;
/** The memory of one container. */
const MEMORY_MAX = 512 * 2 ** 20;
/**
 * The hash of the users' password: 64 MiB, three passes and four lanes, the second recommended option of RFC 9106
 * (section 4).
 */
const HASH =
  '$argon2id$v=19$m=65536,t=3,p=4$R2F0ZWhvdXNlIGJlbmNoLg$X9jSsoswmFkXnctRBO+PskA2obKIc5MHDLXPhXj1Rus';

export const firstLogins: Row = {
  name: 'first-logins',
  about: 'pings and memory of Core during 1,000 first logins with imported argon2id hashes of 64 MiB',
  async measure(bench) {
    const { signal, sizes } = bench;
    const system = await bench.ownSystem({ bcryptCost: 10, hashThreads: THREADS, users: USERS });
    const emails = await importHashes(system);
    const pingFor = (): Promise<Round> =>
      load(system.core.ping, 2 * sizes.seconds, signal, { perSecond: PINGS_PER_SECOND });
    await pingFor();
    const alone = [await pingFor(), await pingFor()];
    const memory = watchMemory(system);
    const began = performance.now();
    let isOver = false;
    const logins = logInOnce(system, emails, signal).finally(() => (isOver = true));
    logins.catch(() => undefined);
    const during: Round[] = [];
    while (!isOver) during.push(await pingFor());
    const refused = await logins;
    const took = (performance.now() - began) / 1000;
    const peak = await memory.stop();
    const [quiet, busy] = [mediansOf(alone), mediansOf(during)];
    const detail = `${ACCOUNTS} logins in ${took.toFixed(0)} s on ${THREADS} threads, ${refused} answered 503 first; p99 of ping alone ${quiet.p99.toFixed(2)} ms, meanwhile ${busy.p99.toFixed(2)} ms at ${PINGS_PER_SECOND} pings/s; memory at most ${(peak / 2 ** 20).toFixed(0)} MiB`;
    bench.say(`  ${detail}`);
    const meanwhile = 'during 1,000 first logins with argon2id of 64 MiB';
    return [
      {
        id: 'first-logins',
        title: `p99 of ping ${meanwhile}`,
        value: busy.p99,
        unit: 'ms',
        bar: { atMost: 50 },
        detail,
      },
      {
        id: 'first-logins-memory',
        title: `memory of Core ${meanwhile}`,
        value: peak,
        unit: 'bytes',
        bar: { atMost: MEMORY_MAX },
        detail,
      },
    ];
  },
};

/** Returns the emails of the accounts. */
async function importHashes({ stack }: System): Promise<string[]> {
  const { urls, admin } = stack.facts;
  const signal = AbortSignal.timeout(60_000);
  const [administrator] = await logIn(urls.core, [admin.Email], signal, admin.Password);
  if (administrator === undefined) throw new Error('nobody can import');
  const emails = Array.from({ length: ACCOUNTS }, (_none, at) => `moved-${at}@gatehouse.example`);
  const answer = await fetch(`${urls.admin}/admin/account/import`, {
    method: 'POST',
    signal,
    headers: { ...bearerOf(administrator), 'content-type': 'application/x-ndjson' },
    body: emails.map((Email) => JSON.stringify({ Email, PasswordHash: HASH })).join('\n'),
  });
  const { Imported } = (await answer.json()) as { Imported?: number }; // Admin's response
  if (Imported !== ACCOUNTS) throw new Error(`the import answered ${answer.status}`);
  return emails;
}

/** Logs in all accounts. A login that is answered 503 is tried again. Returns how often that happened. */
async function logInOnce({ stack }: System, emails: readonly string[], signal: AbortSignal): Promise<number> {
  const waiting = [...emails];
  let refused = 0;
  const next = async (): Promise<void> => {
    for (let email = waiting.pop(); email !== undefined; email = waiting.pop()) {
      const { method, path, headers, body } = loginOf(email);
      const init = { method, signal, ...(headers && { headers }), ...(body !== undefined && { body }) };
      const { status } = await fetch(stack.facts.urls.core + path, init);
      if (status === 200) continue;
      if (status !== 503) throw new Error(`login answered ${status}`);
      refused += 1;
      waiting.push(email);
      await sleep(1000, undefined, { signal });
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, next));
  return refused;
}

/** The maximum memory of Core among repeated samples. */
function watchMemory({ metricsUrls }: System) {
  let peak = 0;
  let isStopped = false;
  const watch = async (): Promise<void> => {
    while (!isStopped) {
      peak = Math.max(peak, await readMetric(metricsUrls.core, 'process_resident_memory_bytes'));
      await sleep(200);
    }
  };
  const ended = watch();
  return {
    async stop(): Promise<number> {
      isStopped = true;
      await ended;
      return peak;
    },
  };
}
