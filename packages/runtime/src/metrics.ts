import { Registry, collectDefaultMetrics } from 'prom-client';

export { Counter, Gauge, Histogram } from 'prom-client';

/** The process's Prometheus registry; counters are made with `new Counter({ …, registers: [metrics] })`. */
export type Metrics = Registry;

/** A registry that includes Node's own metrics (heap, event loop, garbage collection). */
export function createMetrics(service: string): Metrics {
  const metrics = new Registry();
  metrics.setDefaultLabels({ service });
  collectDefaultMetrics({ register: metrics });
  return metrics;
}
