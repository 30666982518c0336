import { mailDeliveries, type Db, type Delivery } from '@gatehouse/db';
import {
  Consumer,
  createEventReader,
  eventFacts,
  topologyOf,
  type AnyEvent,
  type Seal,
  type Topology,
} from '@gatehouse/events';
import { Unavailable, type Log, type Metrics } from '@gatehouse/runtime';
import { createDeliver, HOLD_SECONDS, UNREACHABLE } from './deliveries.ts';
import { createMailMetrics } from './mail-metrics.ts';
import type { Mailer } from './transport.ts';

export interface WorkerDeps {
  db: Db;
  amqpUrl: string;
  amqpCa?: string | undefined;
  seal: Seal;
  mailer: Mailer;
  publicUrl: string;
  log: Log;
  metrics: Metrics;
  topology?: Topology;
}

export interface Worker {
  /** @throws {Unavailable} while no events can come in. */
  checkReady(): Promise<void>;
  /** Takes up mails whose message was lost or whose worker died. To be called every half minute. */
  sweep(overdueSeconds?: number): Promise<void>;
  /** Keeps hold of the mails under way. To be called every few seconds, well within `HOLD_SECONDS`. */
  extendHolds(): Promise<void>;
  /** While the mail server is away: once it is back, sends what waited for it. To be called every second or two. */
  probe(): Promise<void>;
  /** Finishes the mails under way. */
  close(): Promise<void>;
}

const PREFETCH = 50;
const SWEEP_BATCH = 200;
const SWEEP_PARALLEL = 20;
/** A message that is on its way needs no sweep. */
const OVERDUE_SECONDS = 30;

/** Begins to turn events into mails. */
export function startWorker(deps: WorkerDeps): Worker {
  const { db, log, mailer, amqpUrl, topology = topologyOf() } = deps;
  const held = new Set<Delivery>();
  let isClosing = false;
  let server: 'up' | 'doubted' | 'down' = 'up';
  const onUnreachable = (): void => {
    if (server === 'up') server = 'doubted';
  };
  const deliver = createDeliver({ ...deps, onUnreachable, metrics: createMailMetrics(deps.metrics) }, held);
  const consumer = new Consumer({
    url: amqpUrl,
    ca: deps.amqpCa,
    log,
    name: 'mail-worker',
    topology,
    prefetch: PREFETCH,
    read: createEventReader(),
    facts: eventFacts,
    handle: deliver,
  });

  const sweep = async (overdueSeconds = OVERDUE_SECONDS): Promise<void> => {
    const waiting = await mailDeliveries.findOverdue(db, { overdueSeconds, limit: SWEEP_BATCH });
    if (waiting.length > 0) log.info('taking up mails that wait', { count: waiting.length });
    const next = async (): Promise<void> => {
      for (let event = waiting.pop(); event !== undefined && !isClosing; event = waiting.pop()) {
        await tryOne(event);
      }
    };
    await Promise.all(Array.from({ length: SWEEP_PARALLEL }, next));
  };
  const tryOne = async (event: AnyEvent): Promise<void> => {
    try {
      await deliver(event);
    } catch (error) {
      log.warn('a mail could not be taken up and waits for the next sweep', { eventId: event.id, error });
    }
  };

  return {
    checkReady: async () => {
      if (!consumer.isReady) throw new Unavailable('rabbitmq');
    },
    sweep,
    extendHolds: () =>
      held.size > 0 ? mailDeliveries.extendClaims(db, [...held], HOLD_SECONDS) : Promise.resolve(),
    probe: async () => {
      if (server === 'up') return;
      const isBack = await mailer.verify();
      if (!isBack && server === 'doubted') log.warn('the mail server takes no mail, waiting for it');
      // One mail that broke its connection is no outage, and is not to be tried again before its time.
      const wasDown = server === 'down';
      server = isBack ? 'up' : 'down';
      if (!isBack || !wasDown) return;
      log.info('the mail server is back');
      await mailDeliveries.bringForward(db, UNREACHABLE);
      await sweep(0);
    },
    close: () => {
      isClosing = true;
      return consumer.close();
    },
  };
}
