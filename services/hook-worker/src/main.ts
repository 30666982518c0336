import { createSchemaCheck, openDb, query } from '@gatehouse/db';
import { createHookUnseal } from '@gatehouse/events';
import { runService } from '@gatehouse/runtime';
import { createCall } from './call/call.ts';
import { readHookConfig } from './config.ts';
import { createFetchDocument, startFetchingDocuments } from './document/fetch-documents.ts';
import { forgetHooks } from './record-hook.ts';
import { startHookWorker } from './worker.ts';

const service = 'hook-worker';

runService(service, readHookConfig, async ({ config, lifecycle, log, metrics, tracing }) => {
  const db = openDb(service, config, { lifecycle, tracing });
  const egress = { ca: config.WEBHOOK_CA, proxyFor: config.proxyFor };
  const worker = startHookWorker({
    db,
    amqpUrl: config.AMQP_URL,
    amqpCa: config.AMQP_CA,
    openSecret: createHookUnseal(config.HOOK_KEY),
    call: createCall({ ...egress, rules: config.rules }),
    log,
    metrics,
    tracing,
  });
  const documents = startFetchingDocuments({ db, fetchDocument: createFetchDocument(egress), log });
  lifecycle.onStop(() => documents.close());
  lifecycle.every(2, 'extending the leases of deliveries in progress', () => worker.extendHolds());
  lifecycle.every(5, 'counting pending deliveries', () => worker.countWaiting());
  lifecycle.every(600, 'deleting old deliveries', () => forgetHooks(db, config.WEBHOOK_KEEP_DAYS));
  lifecycle.onStop(() => worker.close());
  return {
    checks: {
      postgres: () => query(db, 'select 1'),
      schema: createSchemaCheck({ db, log }),
      rabbitmq: () => worker.checkReady(),
    },
  };
});
