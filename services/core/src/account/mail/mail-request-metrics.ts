import type { Backlog } from '@gatehouse/db';
import { Gauge, type Metrics } from '@gatehouse/runtime';

/** A metric for operators: the number of code requests without a mail so far. */
export interface MailRequestMetrics {
  show(waiting: Backlog): void;
}

export function createMailRequestMetrics(metrics: Metrics): MailRequestMetrics {
  const waiting = new Gauge({
    name: 'gatehouse_reset_requests_waiting',
    help: 'Requests for codes by email whose email is not queued yet, across all instances, up to 100000',
    registers: [metrics],
  });
  const oldest = new Gauge({
    name: 'gatehouse_reset_requests_oldest_seconds',
    help: 'Age of the oldest request for a code by email whose email is not queued yet, 0 if none',
    registers: [metrics],
  });
  return {
    show: ({ count, ageSeconds }) => {
      waiting.set(count);
      oldest.set(ageSeconds);
    },
  };
}
