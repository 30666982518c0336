import type { Redis, RedisServers } from './redis.ts';

/** How many keys Redis has evicted for lack of memory, on all of its servers. */
export interface Evictions {
  evictedKeys: number;
  /** What each server does when its memory is full: with `noeviction` it evicts nothing. */
  policies: string[];
}

/**
 * Returns a function that reads the evictions, with the usual time-out of commands.
 *
 * @throws from that function, if a server does not answer.
 */
export function watchEvictions(servers: RedisServers): () => Promise<Evictions> {
  const known = new Set<Redis>();
  servers.onServer(
    (server) => known.add(server),
    (server) => known.delete(server),
  );
  return async () => {
    const infos = await Promise.all(
      [...known].map(async (server) => `${await server.info('stats')}\n${await server.info('memory')}`),
    );
    const evicted = infos.map((info) => Number(/^evicted_keys:(\d+)/m.exec(info)?.[1] ?? 0));
    const policies = infos.map((info) => /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'unknown');
    return { evictedKeys: evicted.reduce((sum, one) => sum + one, 0), policies: [...new Set(policies)] };
  };
}
