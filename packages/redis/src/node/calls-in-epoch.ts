import type { Redis, RedisServers } from '../client/redis.ts';

/**
 * Calls scripts on a cluster node, as one pipeline that ends with a query of the config epoch. The calls fail if that
 * is not the fence's epoch.
 */
export function createCallsInEpoch(redis: Redis, servers: Pick<RedisServers, 'refresh'>) {
  /** Returns the result of each call; `undefined` for slots that are on another node, or are about to be. */
  return async (
    fence: string,
    name: 'readSessions' | 'writeSessions',
    calls: [number, ...string[]][],
  ): Promise<unknown[]> => {
    const commands = calls.map((args) => [name, ...args]);
    const results = (await redis.pipeline([...commands, ['cluster', 'INFO']]).exec()) ?? [];
    const [failed, info] = results.pop() ?? [];
    if (failed) throw failed;
    if (!fence.endsWith(configEpochOf(info))) throw new Error('the redis node has taken slots over');
    return results.map(([error, value]) => {
      if (error === null) return value;
      if (!/^(MOVED|ASK|TRYAGAIN) /.test(error.message)) throw error;
      servers.refresh();
      return undefined;
    });
  };
}

/** The config epoch in `CLUSTER INFO`, as a suffix for the fence. */
export function configEpochOf(info: unknown): string {
  const epoch = /cluster_my_epoch:(\d+)/.exec(String(info))?.[1];
  if (epoch === undefined) throw new Error('the redis node does not tell its config epoch');
  return `.${epoch}`;
}
