import type { Log } from '@gatehouse/runtime';
import { tagOf } from './live-copy.ts';
import { createLane, type Lane } from './live-lane.ts';
import type { Redis, RedisServers } from './redis.ts';
import type { SessionMacs } from './session-macs.ts';

/** A lane for each Redis server, and which account's live copies are on which. */
export function openLanes(options: {
  servers: RedisServers;
  macs: SessionMacs;
  idleSeconds: number;
  log: Log;
  /** Writes again what the server may have missed. */
  recover: (lane: Lane, fence: string) => Promise<void>;
}) {
  const { servers, macs, idleSeconds, log, recover } = options;
  const lanes = new Map<Redis | undefined, Lane>();
  /** The only one; what is asked for need not be sorted then. */
  let single: Lane | undefined;

  const open = (redis: Redis): void => {
    const lane = createLane({
      redis,
      servers,
      macs,
      idleSeconds,
      log,
      recover: (fence) => recover(lane, fence),
    });
    lanes.set(redis, lane);
    if (!servers.isCluster) single = lane;
  };
  servers.onServer(open, (redis) => {
    lanes.get(redis)?.circuit.close();
    lanes.delete(redis);
  });

  const laneOf = (accountId: string): Lane | undefined =>
    single ?? lanes.get(servers.serverOf(tagOf(accountId)));

  return {
    /** The lane of an account's sessions; `undefined` while no server is known for them. */
    of: laneOf,

    /** What belongs together, by lane. */
    divide<T extends { accountId: string }>(all: readonly T[]): [Lane | undefined, readonly T[]][] {
      if (single !== undefined) return [[single, all]];
      const parts = new Map<Lane | undefined, T[]>();
      for (const one of all) {
        const lane = laneOf(one.accountId);
        const part = parts.get(lane);
        if (part === undefined) parts.set(lane, [one]);
        else part.push(one);
      }
      return [...parts];
    },

    some: (condition: (lane: Lane) => boolean) => [...lanes.values()].some(condition),

    /** Whether it holds for every server; not while none is known. */
    every: (condition: (lane: Lane) => boolean) => lanes.size > 0 && [...lanes.values()].every(condition),

    close(): void {
      for (const lane of lanes.values()) lane.circuit.close();
    },
  };
}
