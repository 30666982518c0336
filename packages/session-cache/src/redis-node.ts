import type { Log } from '@gatehouse/runtime';
import { createCircuit } from './circuit.ts';
import { encode, keyOf, tagOf, type CachedSession } from './cached-session.ts';
import { createCopyReader, type Found } from './copy-reader.ts';
import { READ, WRITE } from './scripts.ts';
import { withScripts, type Redis, type RedisServers } from './redis.ts';
import type { SessionMacs } from './session-macs.ts';
import { slotOf } from './slots.ts';

/** A session to read from the cache. */
export interface CacheRead {
  accountId: string;
  sessionId: string;
  /** Empty for a read only, else the content to note beside the time. */
  mark: string;
}

/** What was found for each session, at the server’s time; `undefined` when the server could not be asked. */
export type Reply = { nowSeconds: number; found: Found[] } | undefined;

/** By session, the copies without a valid code, which the source’s session replaces. */
export type Rejected = ReadonlyMap<string, string>;

export type RedisNode = ReturnType<typeof createRedisNode>;

/** Bounds one script call: Redis serves nobody else meanwhile. */
export const BATCH_MAX = 256;

/**
 * The cached sessions on one Redis server, with the circuit that decides whether it is trusted.
 *
 * A cluster node accepts only keys of one slot in a call, so that all calls for a node go out as one pipeline. Slots
 * move and masters change while connections last, and copies move with them. The fence of a node therefore consists
 * of its life and its config epoch, which rises whenever the node takes over a slot. Each pipeline ends by asking for
 * the epoch; what was read or written under another epoch does not count. So copies that left a node and came back
 * with their slot are never read, and no two processes take different fences for the current one.
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

  /** The server’s answer to a call under this fence with these arguments. */
  const replyOf = (
    fence: string,
    reads: readonly CacheRead[],
    asked: readonly unknown[],
    words: unknown,
  ): Reply => {
    if (words === undefined) return undefined;
    const [nowSeconds, ...values] = words as [number, ...(string | null)[]]; // what the script returns
    const found = reads.map(({ accountId, sessionId }, index) =>
      // The first argument is the number of keys.
      copies.read(values[index], { fence, key: String(asked[index + 1]), accountId, sessionId }),
    );
    return { nowSeconds, found };
  };

  /** The result of each call; `undefined` for slots that are, or are about to be, on another node. */
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

    /** What was found of each; never fails. */
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

    /** Returns the sessions whose slots are on another server. Fails when it is not certain what was written. */
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

/** The config epoch of `CLUSTER INFO`, as a suffix of the server’s life. */
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

/** A key in one of the node’s slots; the search fails only for a node with hardly any slots. */
function probeKeyOn(redis: Redis, servers: RedisServers): string {
  for (let tag = 0; tag < TAGS_MAX; tag++) {
    if (servers.serverOf(String(tag)) === redis) return `s:probe:{${tag}}`;
  }
  throw new Error('the redis node holds no slot');
}

const TAGS_MAX = 100_000;
