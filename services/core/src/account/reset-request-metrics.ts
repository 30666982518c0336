import type { Backlog } from '@gatehouse/db';
import { Gauge, type Metrics } from '@gatehouse/runtime';

/** What operators watch: how many requests for a new password have no mail yet. */
export interface ResetRequestMetrics {
  show(waiting: Backlog): void;
}

export function createResetRequestMetrics(metrics: Metrics): ResetRequestMetrics {
  const waiting = new Gauge({
    name: 'gatehouse_reset_requests_waiting',
    help: 'Requests for a new password whose mail is not written yet, of all instances, counted up to 100000',
    registers: [metrics],
  });
  const oldest = new Gauge({
    name: 'gatehouse_reset_requests_oldest_seconds',
    help: 'Age of the oldest request for a new password whose mail is not written yet, 0 without one',
    registers: [metrics],
  });
  return {
    show: ({ count, ageSeconds }) => {
      waiting.set(count);
      oldest.set(ageSeconds);
    },
  };
}
