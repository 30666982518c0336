export { type CachedSession } from './session/cached-session.ts';
export { createSessionCache, type SessionCache } from './session-cache.ts';
export { type LastSeen } from './session/last-seen.ts';
export { type Reading, type SessionSource } from './session/session-source.ts';
export { connectRedis, scriptsOn, type Redis, type RedisServers } from './redis/redis.ts';
export { redisSettings } from './redis/redis-settings.ts';
export { watchEvictions, type Evictions } from './redis/evictions.ts';
export { openRedis } from './redis/redis-cluster.ts';
export {
  pingStatusOf,
  refusalOf,
  type RefusalCode,
  type SessionRefusal,
} from './session/session-validity.ts';
