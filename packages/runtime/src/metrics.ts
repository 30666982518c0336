import { Registry, collectDefaultMetrics } from 'prom-client';

export { Counter, Gauge, Histogram } from 'prom-client';

/** A Prometheus registry; counters are made with `new Counter({ …, registers: [metrics] })`. */
export type Metrics = Registry;

export function createMetrics(service: string): Metrics {
  const metrics = new Registry();
  metrics.setDefaultLabels({ service });
  return metrics;
}

/**
 * Adds Node's own metrics (heap, event loop, garbage collection). Once per process: they cannot be removed, and each
 * further registry would cost a timer that fires every 10 ms.
 */
export function measureProcess(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics });
}
