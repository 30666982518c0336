export { type CachedSession } from './cached-session.ts';
export { createSessionCache, type SessionCache } from './session-cache.ts';
export { type LastSeen } from './last-seen.ts';
export { type Reading, type SessionSource } from './session-source.ts';
export { connectRedis, scriptsOn, type Redis, type RedisServers } from './redis.ts';
export { redisSettings } from './redis-settings.ts';
export { watchEvictions, type Evictions } from './evictions.ts';
export { openRedis } from './redis-cluster.ts';
export { pingStatusOf, refusalOf, type RefusalCode, type SessionRefusal } from './session-validity.ts';
