export { type CachedSession } from './session/cached-session.ts';
export { createSessionCache, type SessionCache } from './session-cache.ts';
export { type LastSeen } from './session/last-seen.ts';
export { type Reading, type SessionSource } from './session/session-source.ts';
export { connectRedis, scriptsOn, type Redis, type RedisServers } from './client/redis.ts';
export { redisSettings } from './client/redis-settings.ts';
export { watchEvictions, type Evictions } from './client/evictions.ts';
export { openRedis } from './client/redis-cluster.ts';
export {
  pingStatusOf,
  refusalOf,
  type RefusalCode,
  type SessionRefusal,
} from './session/session-validity.ts';
