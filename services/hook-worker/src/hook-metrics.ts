import type { Backlog } from '@gatehouse/db';
import { Counter, Gauge, Histogram, type Metrics } from '@gatehouse/runtime';

export type HookResult = 'sent' | 'retried' | 'parked';

export type HookMetrics = ReturnType<typeof createHookMetrics>;

export function createHookMetrics(metrics: Metrics) {
  const deliveries = new Counter({
    name: 'gatehouse_hook_deliveries_total',
    help: 'Attempts to send an event to a webhook, or a logout to an application, by result: sent, retried or parked',
    labelNames: ['result'],
    registers: [metrics],
  });
  const disabled = new Counter({
    name: 'gatehouse_webhooks_disabled_total',
    help: 'Webhooks that were disabled because their receiver is gone or fails',
    registers: [metrics],
  });
  // Prometheus does not see an increase if there was no value before.
  deliveries.inc({ result: 'parked' }, 0);
  const lag = new Histogram({
    name: 'gatehouse_hook_lag_seconds',
    help: 'Time from recording an event or logout until its receiver accepted it',
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 86_400],
    registers: [metrics],
  });
  const waiting = new Gauge({
    name: 'gatehouse_hook_deliveries_waiting',
    help: 'Deliveries to webhooks and applications that are neither sent nor parked, across all hook workers, up to 100000',
    registers: [metrics],
  });
  const oldest = new Gauge({
    name: 'gatehouse_hook_deliveries_oldest_seconds',
    help: 'Age of the oldest delivery that is neither sent nor parked, 0 if none',
    registers: [metrics],
  });
  return {
    show: ({ count, ageSeconds }: Backlog) => {
      waiting.set(count);
      oldest.set(ageSeconds);
    },
    countDisabled: () => disabled.inc(),
    count: (result: HookResult, ageSeconds: number) => {
      deliveries.inc({ result });
      if (result === 'sent') lag.observe(ageSeconds);
    },
  };
}
