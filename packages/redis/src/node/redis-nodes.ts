import { groupedBy, type Log } from '@gatehouse/runtime';
import { tagOf } from '../session/cached-session.ts';
import { createRedisNode, type RedisNode } from './redis-node.ts';
import type { Redis, RedisServers } from '../client/redis.ts';
import type { SessionMacs } from '../session/session-macs.ts';

/** A `RedisNode` for each Redis server, and which account's cached sessions are on which. */
export function openRedisNodes(options: {
  servers: RedisServers;
  macs: SessionMacs;
  idleSeconds: number;
  log: Log;
  /** Writes everything again that the server may have missed. */
  recover: (node: RedisNode, fence: string) => Promise<void>;
}) {
  const { servers, macs, idleSeconds, log, recover } = options;
  const nodes = new Map<Redis | undefined, RedisNode>();
  /** Set if there is only one server: entries then need not be grouped by node. */
  let single: RedisNode | undefined;

  const open = (redis: Redis): void => {
    const node = createRedisNode({
      redis,
      servers,
      macs,
      idleSeconds,
      log,
      recover: (fence) => recover(node, fence),
    });
    nodes.set(redis, node);
    if (!servers.isCluster) single = node;
  };
  servers.onServer(open, (redis) => {
    nodes.get(redis)?.circuit.close();
    nodes.delete(redis);
  });

  const nodeOf = (accountId: string) => single ?? nodes.get(servers.serverOf(tagOf(accountId)));

  return {
    /** The node of an account's sessions; `undefined` while no server is known for them. */
    of: nodeOf,

    divide<T extends { accountId: string }>(all: readonly T[]): [RedisNode | undefined, readonly T[]][] {
      if (single !== undefined) return [[single, all]];
      return [...groupedBy(all, ({ accountId }) => nodeOf(accountId))];
    },

    some: (condition: (node: RedisNode) => boolean) => [...nodes.values()].some(condition),

    /** Whether the condition is true for every server; false while none is known. */
    every: (condition: (node: RedisNode) => boolean) =>
      nodes.size > 0 && [...nodes.values()].every(condition),

    close(): void {
      for (const node of nodes.values()) node.circuit.close();
    },
  };
}
