import { Redis } from 'ioredis';
import type { Log } from '@gatehouse/runtime';

export type { Redis };

/**
 * Opens the connection to Redis with every wait bounded: the library's own defaults queue commands without an
 * end while the server is gone. A command fails within 400 ms; reconnecting goes on in the background.
 */
export function connectRedis(options: { url: string; log: Log }): Redis {
  const redis = new Redis(options.url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 400,
    connectTimeout: 1000,
    keepAlive: 5000,
    enableAutoPipelining: false,
    retryStrategy: (attempt) => Math.min(50 * attempt, 500),
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  let lastMessage = '';
  redis.on('error', (error: Error) => {
    if (error.message !== lastMessage) options.log.warn('redis connection', { error });
    lastMessage = error.message;
  });
  redis.on('ready', () => {
    lastMessage = '';
  });
  return redis;
}

/**
 * Registers Lua scripts on the connection; each is sent once and then called by its digest. A script takes
 * the number of its keys, the keys, then its arguments.
 */
export function withScripts<Name extends string>(redis: Redis, scripts: Record<Name, string>) {
  for (const [name, lua] of Object.entries<string>(scripts)) redis.defineCommand(name, { lua });
  // ioredis adds the commands to the object at run time; its types cannot know their names.
  return redis as unknown as Record<Name, (keys: number, ...values: string[]) => Promise<unknown>>;
}
