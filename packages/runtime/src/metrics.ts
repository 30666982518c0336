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
 * The interval of the timer that measures the event loop's lag; each value contains it. At 10 ms, the timer is half of
 * what an idle process costs.
 */
const LAG_PRECISION_MS = 50;

/**
 * Adds Node's own metrics (heap, event loop, garbage collection). Once per process: they cannot be removed, and each
 * further registry would cost another timer.
 */
export function measureProcess(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
}
