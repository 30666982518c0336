import { connectDb } from '@gatehouse/db';
import { createPublisher, type Topology } from '@gatehouse/events';
import type { Lifecycle, Log, Tracing } from '@gatehouse/runtime';
import { openRedis } from '@gatehouse/redis';
import type { ServiceSettings } from '../settings/key-settings.ts';

/** Opens the connections to Postgres, Redis and the broker, which are closed when the service stops. */
export function openConnections(options: {
  service: string;
  settings: ServiceSettings;
  lifecycle: Lifecycle;
  log: Log;
  tracing?: Tracing | undefined;
  topology?: Topology | undefined;
}) {
  const { service, settings, lifecycle, log, tracing, topology } = options;
  const db = connectDb({
    url: settings.DATABASE_URL,
    ca: settings.DATABASE_CA,
    applicationName: `gatehouse-${service}`,
    poolMax: settings.DATABASE_POOL_MAX,
    prepares: settings.DATABASE_PREPARE,
    tracing,
  });
  lifecycle.onStop(() => db.destroy());
  const redis = openRedis({
    urls: settings.REDIS_URL,
    isCluster: settings.REDIS_CLUSTER,
    ca: settings.REDIS_CA,
    log,
  });
  lifecycle.onStop(() => redis.disconnect());
  const publisher = createPublisher({
    url: settings.AMQP_URL,
    ca: settings.AMQP_CA,
    name: service,
    log,
    tracing,
    ...(topology && { topology }),
  });
  lifecycle.onStop(() => publisher.close());
  return { db, redis, publisher };
}
