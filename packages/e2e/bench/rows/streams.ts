import { setTimeout as pause } from 'node:timers/promises';
import { SessionStatus } from '@gatehouse/schema';
import { bearerOf, readMetric } from '../system/core-targets.ts';
import { openStream, type OpenStream } from '../load/open-stream.ts';
import { whole } from '../load/rounds.ts';
import type { Bench, Row } from '../row.ts';
import type { System } from '../system/system.ts';
import { logIn, type User } from '../system/users.ts';

/** The lowest cost, because logins are not measured here. */
const COST = 4;
/** The maximum of streams per session. */
const STREAMS_EACH = 5;
/** The number of sessions that open their streams at the same time. */
const WIDTH = 20;
/** Long enough for each stream to have reported once that its session is still active. */
const SETTLE_MS = 25_000;
const KICKS = 100;
const TOLD_WITHIN_MS = 10_000;
/**
 * The heap that Node takes in a container of 512 MiB, which is Portal's limit in docker-compose.yml and the chart. On a
 * large machine it lets the young generation grow by tens of megabytes, whatever it is that stays.
 */
const HEAP_OF_CONTAINER = '--max-old-space-size=256 --max-semi-space-size=1';

export const streams: Row = {
  name: 'streams',
  about:
    'event streams through the gateway to two processes: the time from an end of a session to its event, and memory',
  limits: `Memory is the growth of both processes' resident memory for the second half of the streams, 25 s after the last was opened, with the heap size that Node
uses in a container of 512 MiB. A heap snapshot of four thousand streams, without sessions, shows 6 kB of live objects for each, most of them Node's own: a
socket, a parser, a request and a response. Outside V8's heap they take 4 kB. Headers are released when a stream begins.`,
  async measure(bench) {
    const sessions = Math.ceil(bench.sizes.streams / STREAMS_EACH);
    const system = await bench.ownSystem({
      bcryptCost: COST,
      users: sessions,
      scale: 2,
      nodeOptions: HEAP_OF_CONTAINER,
    });
    const { users } = system;
    const open = new Map<User, OpenStream[]>();
    bench.onEnd(() => {
      for (const stream of [...open.values()].flat()) stream.close();
    });
    // The first half makes V8 compile the code and enlarge its young generation. This memory does not belong to the
    // streams.
    const half = Math.floor(sessions / 2);
    await openAll(bench, system, users.slice(0, half), open);
    const before = await settledMemory(bench, system, half * STREAMS_EACH);
    await openAll(bench, system, users.slice(half), open);
    const count = sessions * STREAMS_EACH;
    const grown = (await settledMemory(bench, system, count)) - before;
    const added = count - half * STREAMS_EACH;
    const memory = `two processes of Portal grew by ${(grown / 2 ** 20).toFixed(0)} MiB with the second half of ${whole(count)} streams`;
    bench.say(`  ${memory}`);

    const delays = await kickSome(bench, system, open);
    const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
    const kicks = `${KICKS} ended sessions with ${STREAMS_EACH} streams each, p50 ${p50.toFixed(0)} ms, longest ${quantile(delays, 1).toFixed(0)} ms`;
    bench.say(`  ${kicks}`);
    return [
      {
        id: 'streams-kick',
        title: `from the end of a session to its event, p99 with ${whole(count)} streams through the gateway`,
        ...{ value: p99, unit: 'ms', bar: { atMost: 1000 }, detail: kicks },
      },
      {
        id: 'streams-memory',
        title: `memory of an open stream in Portal, at ${whole(count)} in two processes`,
        ...{ value: grown / added, unit: 'bytes', bar: { atMost: 20_000 }, detail: memory },
      },
    ];
  },
};

async function openAll(
  { signal }: Bench,
  { stack }: System,
  users: readonly User[],
  open: Map<User, OpenStream[]>,
): Promise<void> {
  const waiting = [...users];
  const next = async (): Promise<void> => {
    for (let user = waiting.pop(); user !== undefined; user = waiting.pop()) {
      signal.throwIfAborted();
      const headers = bearerOf(user);
      const own = Array.from({ length: STREAMS_EACH }, () => openStream(stack.facts.baseUrl, headers));
      open.set(user, await Promise.all(own));
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, next));
}

/** Ends some sessions, one after the other. Returns how long each of their streams took to report it. */
async function kickSome(bench: Bench, { stack }: System, open: Map<User, OpenStream[]>): Promise<number[]> {
  const { admin, urls } = stack.facts;
  const [administrator] = await logIn(urls.core, [admin.Email], bench.signal, admin.Password);
  if (administrator === undefined) throw new Error('no administrator is logged in');
  const delays: number[] = [];
  for (const [user, own] of [...open].slice(0, KICKS)) {
    const at = performance.now();
    const answer = await fetch(`${stack.facts.adminUrl}/admin/user-session`, {
      method: 'POST',
      headers: { ...bearerOf(administrator), 'content-type': 'application/json' },
      body: JSON.stringify({ SessionId: sessionIdOf(user), Status: SessionStatus.Deactivated }),
      signal: bench.signal,
    });
    if (!answer.ok) throw new Error(`a kick was answered ${answer.status}: ${await answer.text()}`);
    while (own.some(({ endedAt }) => endedAt === undefined)) {
      if (performance.now() - at > TOLD_WITHIN_MS) throw new Error('a stream was not told of a kick');
      await pause(5, undefined, { signal: bench.signal });
    }
    delays.push(...own.map(({ endedAt = Infinity }) => endedAt - at));
  }
  return delays;
}

function sessionIdOf({ token }: User): string {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(claims) as { sid: string }).sid; // a token issued by Core
}

/** The memory of both processes, some time after this many streams are open in them. */
async function settledMemory({ signal }: Bench, system: System, count: number): Promise<number> {
  while ((await sumOf(system, 'gatehouse_streams_open')) !== count) await pause(200, undefined, { signal });
  await pause(SETTLE_MS, undefined, { signal });
  return sumOf(system, 'process_resident_memory_bytes');
}

async function sumOf({ stack }: System, metric: string): Promise<number> {
  const portals = stack.facts.instances?.['portal'] ?? [];
  const values = portals.map(({ internalUrl }) => readMetric(`${internalUrl}/metrics`, metric));
  return (await Promise.all(values)).reduce((sum, value) => sum + value, 0);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}
