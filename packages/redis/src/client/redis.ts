import { Redis } from 'ioredis';
import { authoritySetting, setting, trustOf, type Log } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

export type { Redis };

export function redisSettings() {
  return {
    REDIS_URL: Type.String({
      pattern: /^rediss?:\/\/[^,\s]+(,rediss?:\/\/[^,\s]+)*$/.source,
      writeOnly: true,
      description: 'The Redis that holds the cached sessions; nodes of a cluster with commas',
    }),
    REDIS_CA: authoritySetting('Redis'),
    REDIS_CLUSTER: setting(false, 'Whether REDIS_URL names nodes of a Redis Cluster'),
  };
}

/** How long a server may take to answer before its connection is closed. */
const SILENCE_MS = 1000;

const LONG_TIMEOUTS = {
  enableOfflineQueue: true,
  commandTimeout: 10_000,
  connectTimeout: 10_000,
  socketTimeout: 11_000,
} as const;

/** The servers with the keys: a single server, or the masters of a cluster, by the slot of the hash tag. */
export interface RedisServers {
  readonly isCluster: boolean;
  /** The server for the keys with this hash tag; `undefined` while the cluster reports none. */
  serverOf(tag: string): Redis | undefined;
  /** Calls `joined` for every server, immediately for known ones, and `left` for those no longer in use. */
  onServer(joined: (server: Redis) => void, left: (server: Redis) => void): void;
  /** Call this when a server reports that a key has moved: the cluster's slots are queried again. */
  refresh(): void;
  /** Resolves if the servers of all keys answer. */
  ping(): Promise<void>;
  disconnect(): void;
}

/**
 * By default, ioredis queues commands without limit while the server is gone: here each fails within 400 ms, and
 * reconnecting continues in the background. `hasLongTimeouts`, to set up servers: ten seconds.
 */
export function connectRedis(options: {
  url: string;
  ca?: string | undefined;
  log: Log;
  hasLongTimeouts?: boolean;
}): Redis {
  const { url, ca } = options;
  const tls = trustOf({ name: 'REDIS', isTls: url.startsWith('rediss:'), ca });
  const redis = new Redis(url, {
    ...(tls && { tls }),
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 400,
    connectTimeout: 1000,
    keepAlive: 5000,
    // Without this, a connection that was dropped silently, for example by a firewall, would never be replaced.
    socketTimeout: SILENCE_MS,
    enableAutoPipelining: false,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...(options.hasLongTimeouts === true && LONG_TIMEOUTS),
  });
  let lastMessage = '';
  redis.on('error', (error: Error) => {
    if (error.message !== lastMessage) options.log.warn('redis connection error', { error });
    lastMessage = error.message;
  });
  redis.on('ready', () => {
    lastMessage = '';
  });
  return redis;
}

export function singleServer(redis: Redis): RedisServers {
  return {
    isCluster: false,
    serverOf: () => redis,
    onServer: (joined) => joined(redis),
    refresh: () => {},
    ping: async () => void (await redis.ping()),
    disconnect: () => redis.disconnect(),
  };
}

/** Registers Lua scripts, called by digest with the number of keys, the keys, then the values. */
export function withScripts<Name extends string>(redis: Redis, scripts: Record<Name, string>) {
  for (const [name, lua] of Object.entries<string>(scripts)) redis.defineCommand(name, { lua });
  // ioredis adds the commands to the object at run time; its types cannot know their names.
  return redis as unknown as Record<Name, (keys: number, ...values: string[]) => Promise<unknown>>;
}

/** The same on the server that has the tag’s slot. @throws {Error} if none is known. */
export function scriptsOn<Name extends string>(servers: RedisServers, scripts: Record<Name, string>) {
  const known = new WeakMap<Redis, ReturnType<typeof withScripts<Name>>>();
  return (tag: string) => {
    const server = servers.serverOf(tag);
    if (server === undefined) throw new Error('no redis server is known for this key');
    const registered = known.get(server) ?? withScripts(server, scripts);
    known.set(server, registered);
    return registered;
  };
}

/** How many keys Redis has evicted for lack of memory, on all of its servers. */
export interface Evictions {
  evictedKeys: number;
  /** What each server does when its memory is full: with `noeviction` it evicts nothing. */
  policies: string[];
}

/** Returns how to read the evictions, which throws if a server does not answer in the usual time. */
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
