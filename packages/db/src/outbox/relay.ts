import { carriesMail, type Publisher } from '@gatehouse/events';
import { Counter, Gauge, startWakeableLoop, type Log, type Metrics } from '@gatehouse/runtime';
import type { Db } from '../postgres/connect.ts';
import * as outbox from './outbox.ts';

/** Publishes events from the outbox to the broker; `wake` it after committing events, so that they are published now. */
export type Relay = ReturnType<typeof startRelay>;

const BATCH_MAX = 100;
/** Longer than a publish may take, so that a relay that is still waiting does not lose its events to another. */
const LEASE_SECONDS = 8;
/** Less than the pause after a refusal, so that the turn after it finds what was refused. */
const AGAIN_SECONDS = 0.9;
/** The pause if the broker or Postgres does not answer, and the one if all is well: others wake the relay then. */
const RETRY_MS = 1000;
const POLL_MS = 10_000;

/**
 * Publishes the outbox, in any number of processes. Confirmed events are removed; those that cause a mail remain until
 * it is recorded, and are repeated. If a relay dies, another publishes its events: each at least once.
 */
export function startRelay(options: {
  db: Db;
  publisher: Pick<Publisher, 'publish' | 'isReady'>;
  log: Log;
  metrics?: Metrics;
}) {
  const { db, publisher, log } = options;
  const metrics = options.metrics && createOutboxMetrics(options.metrics);
  let isDownKnown = false;
  let isWell = true;
  const pauseMs = () => (isWell ? POLL_MS : RETRY_MS);
  return startWakeableLoop(pauseMs, async () => {
    try {
      isWell = publisher.isReady();
      const counts = isWell ? await publishBatch(db, publisher) : { sent: 0, failed: 0 };
      isWell &&= counts.failed === 0;
      metrics?.count(counts);
      await metrics?.look(db);
      isDownKnown = false;
      return counts.failed === 0 && counts.sent === BATCH_MAX;
    } catch (error) {
      if (!isDownKnown) log.warn('failed to read the outbox, retrying', { error });
      isDownKnown = true;
      isWell = false;
      return false;
    }
  });
}

async function publishBatch(db: Db, publisher: Pick<Publisher, 'publish' | 'isReady'>) {
  const rows = await outbox.lease(db, { limit: BATCH_MAX, leaseSeconds: LEASE_SECONDS });
  if (rows.length === 0) return { sent: 0, failed: 0 };
  const results = await Promise.allSettled(rows.map(({ event }) => publisher.publish(event)));
  const confirmed = rows.filter((_, index) => results[index]?.status === 'fulfilled');
  const failed = rows.filter((_, index) => results[index]?.status === 'rejected');
  const isMail = ({ event }: outbox.OutboxRow): boolean => carriesMail(event);
  const settle = async (settled: outbox.OutboxRow[], as: (ids: string[]) => Promise<void>) => {
    if (settled.length > 0) await as(settled.map(({ id }) => id));
  };
  await settle(
    confirmed.filter((row) => !isMail(row)),
    (ids) => outbox.remove(db, ids),
  );
  await settle(confirmed.filter(isMail), (ids) => outbox.markPublished(db, ids));
  await settle(failed, (ids) => outbox.release(db, AGAIN_SECONDS, ids));
  return { sent: confirmed.length, failed: failed.length };
}

const LOOK_MS = 5000;
/** Counting stops here: more than this is far too many in any case. */
const COUNT_MAX = 100_000;

function createOutboxMetrics(metrics: Metrics) {
  const registers = [metrics];
  const published = new Counter({
    name: 'gatehouse_outbox_published_total',
    help: 'Events published to the message broker',
    labelNames: ['result'],
    registers,
  });
  // Start at 0: Prometheus does not see an increase of a counter that had no value before.
  for (const result of ['confirmed', 'failed']) published.inc({ result }, 0);
  const waiting = new Gauge({
    name: 'gatehouse_outbox_waiting',
    help: 'Events not yet received by the message broker or the mail worker, up to 100000',
    registers,
  });
  const oldest = new Gauge({
    name: 'gatehouse_outbox_oldest_seconds',
    help: 'Age of the oldest event not yet received by the message broker or the mail worker, 0 if none',
    registers,
  });
  let lookedAt = -Infinity;
  return {
    count: ({ sent, failed }: { sent: number; failed: number }) => {
      published.inc({ result: 'confirmed' }, sent);
      published.inc({ result: 'failed' }, failed);
    },
    /** Measures how many events are waiting, unless it did so within the last seconds. */
    look: async (db: Db) => {
      if (performance.now() - lookedAt < LOOK_MS) return;
      lookedAt = performance.now();
      const { count, ageSeconds } = await outbox.backlog(db, COUNT_MAX);
      waiting.set(count);
      oldest.set(ageSeconds);
    },
  };
}
