export type { CachedSession, Reading, SessionSource } from './session/cached-session.ts';
export { createSessionCache, type LastSeen, type SessionCache } from './session-cache.ts';
export {
  connectRedis,
  scriptsOn,
  redisSettings,
  watchEvictions,
  type Redis,
  type RedisServers,
  type Evictions,
} from './client/redis.ts';
export { openRedis } from './client/redis-cluster.ts';
export {
  pingStatusOf,
  refusalOf,
  type RefusalCode,
  type SessionRefusal,
} from './session/session-validity.ts';
