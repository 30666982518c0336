import { Counter, Gauge, type Metrics } from '@gatehouse/runtime';
import type { Db } from '../postgres/connect.ts';
import * as outbox from './outbox.ts';

/** Metrics of the outbox: the events that the relay published, and the events that are waiting. */
export interface OutboxMetrics {
  count(published: { sent: number; failed: number }): void;
  /** Measures how many events are waiting, unless it did so within the last seconds. */
  look(db: Db): Promise<void>;
}

const LOOK_MS = 5000;
/** Counting stops here: more than this is far too many in any case. */
const COUNT_MAX = 100_000;

export function createOutboxMetrics(metrics: Metrics): OutboxMetrics {
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
    count: ({ sent, failed }) => {
      published.inc({ result: 'confirmed' }, sent);
      published.inc({ result: 'failed' }, failed);
    },
    look: async (db) => {
      if (performance.now() - lookedAt < LOOK_MS) return;
      lookedAt = performance.now();
      const { count, ageSeconds } = await outbox.backlog(db, COUNT_MAX);
      waiting.set(count);
      oldest.set(ageSeconds);
    },
  };
}
