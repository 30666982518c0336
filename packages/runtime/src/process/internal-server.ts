import { createServer } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { atMost } from '../deadline.ts';
import { listen } from './listen.ts';

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

/** Node's own metrics, once per process: they cannot be removed, and each further registry would cost a timer. */
export function measureProcess(metrics: Metrics): void {
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
}

/** A check for each dependency. A check that throws or takes longer than a second has failed. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>;

/**
 * The port for operators: `/health/live` (the process runs), `/health/ready` (it can work; otherwise a 503 names the
 * missing dependencies, also from the start of a stop), `/metrics` (Prometheus).
 */
export async function createInternalServer(options: {
  host: string;
  port: number;
  metrics: Metrics;
  checks: ReadinessChecks;
  isStopping: () => boolean;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const { metrics, checks, isStopping } = options;
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string): void => {
      response
        .writeHead(status, { 'content-type': type, 'cache-control': 'no-store', allow: 'GET, HEAD' })
        .end(body);
    };
    const fail = (): void => answer(500, 'text/plain', 'error');
    // Probes also ask by HEAD, to which Node sends no body, and add a query against caches.
    const path = request.url?.split('?')[0];
    if (request.method !== 'GET' && request.method !== 'HEAD')
      answer(405, 'text/plain', 'method not allowed');
    else if (path === '/health/live') answer(200, 'application/json', '{"status":"live"}');
    else if (path === '/health/ready') {
      readiness(checks, isStopping()).then(
        (state) => answer(state.ready ? 200 : 503, 'application/json', JSON.stringify(state)),
        fail,
      );
    } else if (path === '/metrics') {
      metrics.metrics().then((text) => answer(200, metrics.contentType, text), fail);
    } else answer(404, 'text/plain', 'not found');
  });
  return {
    port: await listen(server, options),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readiness(checks: ReadinessChecks, stopping: boolean) {
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await passes(check)] as const),
  );
  return { ready: !stopping && states.every(([, ok]) => ok), stopping, checks: Object.fromEntries(states) };
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  const passing = async (): Promise<boolean> => {
    await check();
    return true;
  };
  return (
    (await atMost(
      1000,
      passing().catch(() => false),
    )) ?? false
  );
}
