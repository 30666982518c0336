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
  /** @throws {Unavailable} while no events can come in. */
  checkReady(): Promise<void>;
  /** Takes up mails whose message was lost or whose worker died. To be called every half minute. */
  sweep(overdueSeconds?: number): Promise<void>;
  /** Shows in the metrics how many mails wait. To be called every few seconds. */
  countWaiting(): Promise<void>;
  /** Keeps hold of the mails under way. To be called every few seconds, well within `HOLD_SECONDS`. */
  extendHolds(): Promise<void>;
  /** While the mail server is away: once it is back, sends what waited for it. To be called every second or two. */
  probe(): Promise<void>;
  /** Finishes the mails under way. */
  close(): Promise<void>;
}

/** So far waiting mails are counted: as well as beyond it, there are far too many. */
const COUNT_MAX = 100_000;
/** As many as are sent within half a minute by a mail server that takes a second for each. */
const PREFETCH = 20;
const SWEEP_BATCH = 200;
const SWEEP_PARALLEL = 10;
/** A message that is on its way needs no sweep. */
const OVERDUE_SECONDS = 30;

/** Begins to turn events into mails. */
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
    // One mail that broke its connection is no outage, and is not to be tried again before its time.
    const wasDown = server === 'down';
    server = isBack ? 'up' : 'down';
    if (!isBack || !wasDown) return;
    log.info('mail server recovered');
    await mailDeliveries.bringForward(db, UNREACHABLE);
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
      // A batch each time, so that a server that goes away meanwhile is asked again.
      if (server === 'up' && isCatchingUp) isCatchingUp = await sweep(0);
    },
    close: () => {
      isClosing = true;
      return consumer.close();
    },
  };
}

/** Resumes mails that have waited for so long, several at a time; says whether there may be more. */
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
