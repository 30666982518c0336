import { mailDeliveries, type ActivityCounter, type Db } from '@gatehouse/db';
import { Consumer, createEventReader, eventFacts, topologyOf } from '@gatehouse/events';
import type { Topology, Unseal } from '@gatehouse/events';
import type { WriteMail } from '@gatehouse/mails';
import { startDueWork, Unavailable, type Log, type Metrics, type Tracing } from '@gatehouse/runtime';
import { createDeliverMail, SENDER_REFUSED, UNREACHABLE } from './deliver-mail.ts';
import { createMailMetrics } from './mail-metrics.ts';
import { createOpenMail, createRecordMail } from './record-mail.ts';
import { createServerState } from './server-state.ts';
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
  /** A clock in milliseconds; tests move it. */
  now?: () => number;
}

/** Waiting mails are counted up to this number; any higher number is just as bad. */
const COUNT_MAX = 100_000;
/** The maximum number of mails that are being recorded. */
const PREFETCH = 20;
/** The number of mails that a mail server that takes a second for each can accept well within half a minute. */
const AT_ONCE_MAX = 20;
/** Mails are claimed in batches. Until there is room for one, enough are in progress for all connections. */
const ROOM_MIN = 10;

/** Starts to record the mails of events, and to send the mails that are due. */
export function startWorker(deps: WorkerDeps) {
  const { db, log, mailer, amqpUrl, topology = topologyOf() } = deps;
  const common = { ...deps, metrics: createMailMetrics(deps.metrics), openMail: createOpenMail(deps.unseal) };
  const server = createServerState({
    mailer,
    onBack: async () => {
      for (const error of [UNREACHABLE, SENDER_REFUSED]) await mailDeliveries.makeDueByError(db, error);
      dueMails.wake();
    },
    log,
    now: deps.now,
  });
  const dueMails = startDueWork({
    table: {
      claim: (options) => {
        // So that a stopped server is tried neither with what it has refused before, nor with what came along with that.
        const newFirst = !server.isUp();
        return mailDeliveries.claimDue(db, { ...options, limit: server.room(options.limit), newFirst });
      },
      extend: (mails, holdSeconds) => mailDeliveries.extendClaims(db, mails, holdSeconds),
    },
    carryOut: createDeliverMail({ ...common, send: server.send }),
    atOnce: AT_ONCE_MAX,
    roomMin: ROOM_MIN,
    things: 'emails',
    log,
    isPaused: () => !server.isUp(),
  });
  const consumer = new Consumer({
    url: amqpUrl,
    ca: deps.amqpCa,
    log,
    name: 'mail-worker',
    topology,
    prefetch: PREFETCH,
    read: createEventReader(),
    facts: eventFacts,
    handle: createRecordMail({ ...common, onRecorded: () => dueMails.wake() }),
  });

  return {
    /** @throws {Unavailable} while no events can be received. */
    checkReady: async () => {
      if (!consumer.isReady) throw new Unavailable('rabbitmq');
    },
    countWaiting: async () => common.metrics.show(await mailDeliveries.backlog(db, COUNT_MAX), server.isUp()),
    extendHolds: () => dueMails.extendHolds(),
    /** While the mail server is down: checks whether it is back, and then sends the mails that waited for it. */
    probe: () => server.probe(),
    close: async () => {
      await Promise.all([consumer.close(), dueMails.close()]);
    },
  };
}
