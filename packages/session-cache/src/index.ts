export { type LiveSession } from './live-copy.ts';
export {
  createLiveSessions,
  type LiveSessions,
  type Reading,
  type SessionSource,
  type Sighting,
} from './live-sessions.ts';
export { connectRedis, scriptsOn, type Redis, type RedisServers } from './redis.ts';
export { openRedis } from './redis-cluster.ts';
export { pingStatusOf, refusalOf, type RefusalCode } from './standing.ts';
