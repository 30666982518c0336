import type { Redis, RedisServers } from '../redis/redis.ts';

/**
 * Calls of scripts on a cluster node, as one pipeline that ends by asking for the config epoch; they fail when that is
 * not the fence's.
 */
export function createCallsInTerm(redis: Redis, servers: Pick<RedisServers, 'refresh'>) {
  /** The result of each call; `undefined` for slots that are, or are about to be, on another node. */
  return async (
    fence: string,
    name: 'readSessions' | 'writeSessions',
    calls: [number, ...string[]][],
  ): Promise<unknown[]> => {
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
  };
}

/** The config epoch of `CLUSTER INFO`, as a suffix of the server’s life. */
export function termIn(info: unknown): string {
  const epoch = /cluster_my_epoch:(\d+)/.exec(String(info))?.[1];
  if (epoch === undefined) throw new Error('the redis node does not tell its config epoch');
  return `.${epoch}`;
}
