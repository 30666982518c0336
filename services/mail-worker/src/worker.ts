import { mailDeliveries, type ActivityCounter, type Db, type Delivery } from '@gatehouse/db';
import {
  Consumer,
  createEventReader,
  eventFacts,
  topologyOf,
  type AnyEvent,
  type Unseal,
  type Topology,
} from '@gatehouse/events';
import type { WriteMail } from '@gatehouse/mails';
import { Unavailable, type Log, type Metrics, type Tracing } from '@gatehouse/runtime';
import { createDeliver, HOLD_SECONDS, UNREACHABLE } from './deliveries.ts';
import { createMailMetrics } from './mail-metrics.ts';
import type { Mailer } from './smtp/transport.ts';

export interface WorkerDeps {
  db: Db;
  amqpUrl: string;
  amqpCa?: string | undefined;
  unseal: Unseal;
  mailer: Mailer;
  writeMail: WriteMail;
  keepDays: number;
  activity: ActivityCounter;
  log: Log;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  topology?: Topology;
}

export interface Worker {
  /** @throws {Unavailable} while no events can be received. */
  checkReady(): Promise<void>;
  /** Resumes mails whose message was lost or whose worker died. Must be called every half minute. */
  sweep(overdueSeconds?: number): Promise<void>;
  /** Updates the metric of waiting mails. Must be called every few seconds. */
  countWaiting(): Promise<void>;
  /** Extends the reservation of mails in progress. Must be called every few seconds, well within `HOLD_SECONDS`. */
  extendHolds(): Promise<void>;
  /**
   * While the mail server is down: checks whether it is back, and then sends the mails that waited for it. Must be
   * called every second or two.
   */
  probe(): Promise<void>;
  /** Finishes the mails in progress. */
  close(): Promise<void>;
}

/** Waiting mails are counted up to this number; any higher number is just as bad. */
const COUNT_MAX = 100_000;
/** The number of mails that a mail server that takes a second for each can accept well within half a minute. */
const PREFETCH = 20;
const SWEEP_BATCH = 200;
const SWEEP_PARALLEL = 10;
/** A message that was just published needs no sweep. */
const OVERDUE_SECONDS = 30;

/** Starts to process mail events. */
export function startWorker(deps: WorkerDeps): Worker {
  const { db, log, mailer, amqpUrl, topology = topologyOf() } = deps;
  const held = new Set<Delivery>();
  let isClosing = false;
  let server: 'up' | 'doubted' | 'down' = 'up';
  let isCatchingUp = false;
  const onUnreachable = (): void => {
    if (server === 'up') server = 'doubted';
  };
  const metrics = createMailMetrics(deps.metrics);
  const deliver = createDeliver({ ...deps, onUnreachable, metrics }, held);
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

  const sweep = createSweep({ db, log, deliver, isClosing: () => isClosing });

  const ask = async (): Promise<void> => {
    const isBack = await mailer.verify();
    if (!isBack && server === 'doubted') log.warn('mail server unavailable, waiting for it to recover');
    // A single mail that broke its connection is not an outage, and must not be retried before its time.
    const wasDown = server === 'down';
    server = isBack ? 'up' : 'down';
    if (!isBack || !wasDown) return;
    log.info('mail server recovered');
    await mailDeliveries.makeDueByError(db, UNREACHABLE);
    isCatchingUp = true;
  };

  return {
    checkReady: async () => {
      if (!consumer.isReady) throw new Unavailable('rabbitmq');
    },
    sweep: async (overdueSeconds = OVERDUE_SECONDS) => void (await sweep(overdueSeconds)),
    countWaiting: async () => metrics.show(await mailDeliveries.backlog(db, COUNT_MAX)),
    extendHolds: () =>
      held.size > 0 ? mailDeliveries.extendClaims(db, [...held], HOLD_SECONDS) : Promise.resolve(),
    probe: async () => {
      if (server !== 'up') await ask();
      // One batch per call, so that a server that goes down meanwhile is noticed.
      if (server === 'up' && isCatchingUp) isCatchingUp = await sweep(0);
    },
    close: () => {
      isClosing = true;
      return consumer.close();
    },
  };
}

/** Resumes mails that have waited for this long, several at a time. Returns whether there may be more. */
function createSweep({
  db,
  log,
  deliver,
  isClosing,
}: Pick<WorkerDeps, 'db' | 'log'> & {
  deliver: (event: AnyEvent) => Promise<unknown>;
  isClosing: () => boolean;
}): (overdueSeconds: number) => Promise<boolean> {
  const tryOne = async (event: AnyEvent): Promise<void> => {
    try {
      await deliver(event);
    } catch (error) {
      log.warn('failed to resume an email, retrying on the next sweep', { eventId: event.id, error });
    }
  };
  return async (overdueSeconds) => {
    const waiting = await mailDeliveries.findOverdue(db, { overdueSeconds, limit: SWEEP_BATCH });
    const isMore = waiting.length === SWEEP_BATCH;
    if (waiting.length > 0) log.info('resuming pending emails', { count: waiting.length });
    const next = async (): Promise<void> => {
      for (let event = waiting.pop(); event !== undefined && !isClosing(); event = waiting.pop()) {
        await tryOne(event);
      }
    };
    await Promise.all(Array.from({ length: SWEEP_PARALLEL }, next));
    return isMore;
  };
}
