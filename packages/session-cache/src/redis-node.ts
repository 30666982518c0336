import type { Log } from '@gatehouse/runtime';
import { createCircuit } from './circuit.ts';
import { encode, keyOf, tagOf, type CachedSession } from './cached-session.ts';
import { createCopyReader, type Found } from './copy-reader.ts';
import { READ, WRITE } from './scripts.ts';
import { withScripts, type Redis, type RedisServers } from './redis.ts';
import type { SessionMacs } from './session-macs.ts';
import { slotOf } from './slots.ts';

/** A session that is to be read from the cache. */
export interface CacheRead {
  accountId: string;
  sessionId: string;
  /** Empty for a read alone, else the content to note beside the time. */
  mark: string;
}

/** What was found for each that was asked for, at the server's time; `undefined` when it is not to be had. */
export type Reply = { nowSeconds: number; found: Found[] } | undefined;

/** By session, the copies that are not genuine and give way to what the source says. */
export type Rejected = ReadonlyMap<string, string>;

export type RedisNode = ReturnType<typeof createRedisNode>;

/** Keeps one script call short; Redis serves nobody else meanwhile. */
export const BATCH_MAX = 256;

/**
 * The cached sessions on one Redis server, with the circuit that decides whether it is to be trusted.
 *
 * A node of a cluster takes keys of one slot a call, so that what is for one node goes out as one pipeline with
 * a call for each slot. Slots move and masters change while connections last, and copies move along: the fence of
 * a node is its life and its config epoch, which is raised whenever it takes a slot over. Each pipeline ends by
 * asking for the epoch, and what was read or written under another one does not count. So copies that left a node
 * and came back with their slot are never read, nor do two processes ever take different fences for the right one.
 */
export function createRedisNode(options: {
  redis: Redis;
  servers: RedisServers;
  macs: SessionMacs;
  idleSeconds: number;
  recover: (fence: string) => Promise<void>;
  log: Log;
}) {
  const { redis, servers, macs, idleSeconds, recover, log } = options;
  const scripts = withScripts(redis, { readSessions: READ, writeSessions: WRITE });
  const copies = createCopyReader(macs);
  const idle = String(idleSeconds);
  const expiry = String(idleSeconds + 60);
  const circuit = createCircuit({
    redis,
    log,
    recover,
    probeKey: () => (servers.isCluster ? probeKeyOn(redis, servers) : 's:probe'),
    ...(servers.isCluster && { askTerm: async () => termIn(await redis.cluster('INFO')) }),
  });

  const readArguments = (fence: string, reads: readonly CacheRead[]): [number, ...string[]] => [
    reads.length,
    ...reads.map((one) => copies.keyOf(fence, one.accountId, one.sessionId)),
    idle,
    ...reads.map((one) => one.mark),
  ];
  const writeArguments = (
    fence: string,
    sessions: readonly CachedSession[],
    rejected: Rejected,
  ): [number, ...string[]] => {
    const keys = sessions.map((session) => keyOf(fence, session.accountId, session.sessionId));
    const values = sessions.flatMap((session, index) => [
      String(session.version),
      macs.seal(keys[index] ?? '', session.role, encode(session)),
      rejected.get(session.sessionId) ?? '',
    ]);
    return [sessions.length, ...keys, expiry, ...values];
  };

  /** The server's words about what was asked for under this fence with these arguments. */
  const replyOf = (
    fence: string,
    reads: readonly CacheRead[],
    asked: readonly unknown[],
    words: unknown,
  ): Reply => {
    if (words === undefined) return undefined;
    const [nowSeconds, ...values] = words as [number, ...(string | null)[]]; // what the script returns
    const found = reads.map(({ accountId, sessionId }, index) =>
      // Keys are behind their number.
      copies.read(values[index], { fence, key: String(asked[index + 1]), accountId, sessionId }),
    );
    return { nowSeconds, found };
  };

  /** What each call gives; `undefined` for those whose slot is, or is about to be, on another node. */
  async function callInTerm(
    fence: string,
    name: keyof typeof scripts,
    calls: [number, ...string[]][],
  ): Promise<unknown[]> {
    const commands = calls.map((args) => [name, ...args]);
    const results = (await redis.pipeline([...commands, ['cluster', 'INFO']]).exec()) ?? [];
    const [failed, info] = results.pop() ?? [];
    if (failed) throw failed;
    if (!fence.endsWith(termIn(info))) throw new Error('the redis node has taken slots over');
    return results.map(([error, value]) => {
      if (error === null) return value;
      if (!/^(MOVED|ASK|TRYAGAIN) /.test(error.message)) throw error;
      servers.refresh();
      return undefined;
    });
  }

  async function readBySlot<T extends CacheRead>(fence: string, batch: T[]): Promise<[T[], Reply][]> {
    const parts = bySlot(batch);
    const calls = parts.map((reads) => readArguments(fence, reads));
    const replies = await callInTerm(fence, 'readSessions', calls);
    return parts.map((reads, index) => [reads, replyOf(fence, reads, calls[index] ?? [], replies[index])]);
  }

  async function writeBySlot(
    fence: string,
    sessions: readonly CachedSession[],
    rejected: Rejected,
  ): Promise<CachedSession[]> {
    const parts = bySlot(sessions);
    const calls = parts.map((part) => writeArguments(fence, part, rejected));
    const replies = await callInTerm(fence, 'writeSessions', calls);
    return parts.filter((_, index) => replies[index] === undefined).flat();
  }

  return {
    circuit,

    /** What there is of each; never fails. */
    async read<T extends CacheRead>(batch: T[]): Promise<[T[], Reply][]> {
      const fence = circuit.readFence();
      if (fence === undefined) return [[batch, undefined]];
      try {
        if (servers.isCluster) return await readBySlot(fence, batch);
        const asked = readArguments(fence, batch);
        return [[batch, replyOf(fence, batch, asked, await scripts.readSessions(...asked))]];
      } catch (error) {
        circuit.open(error);
        return [[batch, undefined]];
      }
    },

    /** Returns those that this server does not take, as their slot is elsewhere; fails when nothing is certain. */
    async write(
      fence: string,
      sessions: readonly CachedSession[],
      rejected: Rejected = new Map(),
    ): Promise<CachedSession[]> {
      const left: CachedSession[] = [];
      for (let at = 0; at < sessions.length; at += BATCH_MAX) {
        const part = sessions.slice(at, at + BATCH_MAX);
        if (servers.isCluster) left.push(...(await writeBySlot(fence, part, rejected)));
        else await scripts.writeSessions(...writeArguments(fence, part, rejected));
      }
      return left;
    },
  };
}

/** The config epoch of `CLUSTER INFO`, set off from the server's life. */
function termIn(info: unknown): string {
  const epoch = /cluster_my_epoch:(\d+)/.exec(String(info))?.[1];
  if (epoch === undefined) throw new Error('the redis node does not tell its config epoch');
  return `.${epoch}`;
}

function bySlot<T extends { accountId: string }>(all: readonly T[]): T[][] {
  const parts = new Map<number, T[]>();
  for (const one of all) {
    const slot = slotOf(tagOf(one.accountId));
    const part = parts.get(slot);
    if (part === undefined) parts.set(slot, [one]);
    else part.push(one);
  }
  return [...parts.values()];
}

/** A key in one of the node's slots; it has to hold hardly any for this to fail. */
function probeKeyOn(redis: Redis, servers: RedisServers): string {
  for (let tag = 0; tag < TAGS_MAX; tag++) {
    if (servers.serverOf(String(tag)) === redis) return `s:probe:{${tag}}`;
  }
  throw new Error('the redis node holds no slot');
}

const TAGS_MAX = 100_000;
