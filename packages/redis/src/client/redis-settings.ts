import { authoritySetting, setting } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** The settings of a service's connections to Redis. */
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
