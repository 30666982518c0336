import { hookDeliveries, type Db } from '@gatehouse/db';
import { Consumer, createEventReader, eventFacts, hookTopologyOf } from '@gatehouse/events';
import type { OpenHookSecret, Topology } from '@gatehouse/events';
import { startDueWork, Unavailable, type Log, type Metrics, type Tracing } from '@gatehouse/runtime';
import type { Call } from './call/call.ts';
import { createDeliverHook } from './deliver-hook.ts';
import { createHookMetrics } from './hook-metrics.ts';
import { createRecordHook } from './record-hook.ts';

export interface HookWorkerDeps {
  db: Db;
  amqpUrl: string;
  amqpCa?: string | undefined;
  openSecret: OpenHookSecret;
  call: Call;
  log: Log;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  topology?: Topology;
}

/** Waiting deliveries are counted up to this number; any higher number is just as bad. */
const COUNT_MAX = 100_000;
/** The maximum number of events that are being recorded. */
const PREFETCH = 20;
/** How many deliveries are sent to one webhook or application at once. */
const PER_RECEIVER = 4;
/** Enough for all webhooks and as many applications, so that none waits for another whose receiver is slow. */
const AT_ONCE_MAX = PER_RECEIVER * 2 * hookDeliveries.WEBHOOKS_MAX;

/** Starts to record the deliveries of events, and to send those that are due. */
export function startHookWorker(deps: HookWorkerDeps) {
  const { db, log, amqpUrl, topology = hookTopologyOf() } = deps;
  const common = { ...deps, metrics: createHookMetrics(deps.metrics) };
  const dueHooks = startDueWork({
    table: {
      claim: (options) => hookDeliveries.claimDue(db, { ...options, perReceiver: PER_RECEIVER }),
      extend: (hooks, holdSeconds) => hookDeliveries.extendClaims(db, hooks, holdSeconds),
    },
    carryOut: createDeliverHook(common),
    atOnce: AT_ONCE_MAX,
    roomMin: 1,
    claimsPart: true,
    things: 'deliveries to webhooks',
    log,
  });
  const consumer = new Consumer({
    url: amqpUrl,
    ca: deps.amqpCa,
    log,
    name: 'hook-worker',
    topology,
    prefetch: PREFETCH,
    read: createEventReader(),
    facts: eventFacts,
    handle: createRecordHook({ db, onRecorded: () => dueHooks.wake() }),
  });

  return {
    /** @throws {Unavailable} while no events can be received. */
    checkReady: async () => {
      if (!consumer.isReady) throw new Unavailable('rabbitmq');
    },
    countWaiting: async () => common.metrics.show(await hookDeliveries.backlog(db, COUNT_MAX)),
    extendHolds: () => dueHooks.extendHolds(),
    close: async () => {
      await Promise.all([consumer.close(), dueHooks.close()]);
    },
  };
}
