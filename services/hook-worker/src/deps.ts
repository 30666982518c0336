import { connectDb, createSchemaCheck, query } from '@gatehouse/db';
import { createHookUnseal } from '@gatehouse/events';
import type { Lifecycle, Log, Metrics, Tracing } from '@gatehouse/runtime';
import { createCall } from './call/call.ts';
import type { readHookConfig } from './config.ts';
import { forgetHooks } from './forget-hooks.ts';
import { startHookWorker } from './worker.ts';

/** Opens and starts everything that the worker needs. Returns the checks of its readiness. */
export function openHookWorker(options: {
  config: ReturnType<typeof readHookConfig>;
  service: string;
  lifecycle: Lifecycle;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
}) {
  const { config, service, lifecycle, log, metrics, tracing } = options;
  const db = connectDb({
    url: config.DATABASE_URL,
    ca: config.DATABASE_CA,
    applicationName: `gatehouse-${service}`,
    poolMax: config.DATABASE_POOL_MAX,
    prepares: config.DATABASE_PREPARE,
    tracing,
  });
  lifecycle.onStop(() => db.destroy());
  const worker = startHookWorker({
    db,
    amqpUrl: config.AMQP_URL,
    amqpCa: config.AMQP_CA,
    openSecret: createHookUnseal(config.HOOK_KEY),
    call: createCall({ rules: config.rules, ca: config.WEBHOOK_CA }),
    log,
    metrics,
    tracing,
  });
  lifecycle.every(2, 'extending the leases of deliveries in progress', () => worker.extendHolds());
  lifecycle.every(5, 'counting pending deliveries', () => worker.countWaiting());
  lifecycle.every(600, 'deleting old deliveries', () => forgetHooks(db, config.WEBHOOK_KEEP_DAYS));
  lifecycle.onStop(() => worker.close());
  return {
    postgres: () => query(db, 'select 1'),
    schema: createSchemaCheck({ db, log }),
    rabbitmq: () => worker.checkReady(),
  };
}
