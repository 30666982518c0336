import { Enum, Type, type Static, type TObject } from '@gatehouse/schema';
import { ConfigError, reportFault, setting } from '../settings/config.ts';
import { openTracing, tracingSettings } from '../tracing/open-tracing.ts';
import { createInternalServer, createMetrics, measureProcess } from './internal-server.ts';
import type { Metrics, ReadinessChecks } from './internal-server.ts';
import { createLog, type Log } from '../log/log.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { run, STOP_SECONDS_MAX, type Lifecycle } from './run.ts';

export function processSettings({ internalPort }: { internalPort: number }) {
  return {
    LOG_LEVEL: Enum(['error', 'warn', 'info', 'debug'], {
      default: 'info',
      description: 'The least important lines that are logged',
    }),
    INTERNAL_HOST: setting(
      '127.0.0.1',
      'The address that health and metrics listen on; `::` for all of IPv4 and IPv6',
    ),
    INTERNAL_PORT: Type.Integer({
      default: internalPort,
      minimum: 0,
      maximum: 65_535,
      description: 'The port of health and metrics, for operators alone',
    }),
    ...tracingSettings(),
  };
}

export type ProcessSettings = Readonly<Static<TObject<ReturnType<typeof processSettings>>>>;

export interface ServiceParts<C> {
  config: C;
  log: Log;
  lifecycle: Lifecycle;
  metrics: Metrics;
  tracing: Tracing;
}

/**
 * Runs a service: reads its settings (an error is one line and exit code 1), opens its internal port, lets `build`
 * create the rest, and is ready once that is done and `checks` pass. `facts` are added to the log line about it.
 */
export function runService<C extends ProcessSettings>(
  service: string,
  readSettings: () => C,
  build: (parts: ServiceParts<C>) => Promise<{ checks: ReadinessChecks; facts?: Record<string, unknown> }>,
  /** How long it keeps serving before it stops. */
  { drainSeconds = () => 0 }: { drainSeconds?: (config: C) => number } = {},
): void {
  const config = settingsOrExit(service, readSettings);
  const log = createLog({ service, level: config.LOG_LEVEL });
  const start = async (lifecycle: Lifecycle): Promise<void> => {
    const metrics = createMetrics(service);
    measureProcess(metrics);
    const checks: ReadinessChecks = { started: () => Promise.reject(new Error('still starting')) };
    const internal = await createInternalServer({
      host: config.INTERNAL_HOST,
      port: config.INTERNAL_PORT,
      metrics,
      checks,
      isStopping: () => lifecycle.stopping,
    });
    lifecycle.onStop(() => internal.close());
    const tracing = await openTracing(service, config, log);
    // Runs second to last: other stops may still end spans.
    lifecycle.onStop(() => tracing.close());
    const building = build({ config, log, lifecycle, metrics, tracing });
    readSourceMap();
    const built = await building;
    delete checks['started'];
    Object.assign(checks, built.checks);
    log.info('listening', { ...built.facts, internalPort: internal.port });
  };
  run(log, start, STOP_SECONDS_MAX + drainSeconds(config));
}

/** Node reads the source map at the first stack trace, for tens of milliseconds: now, before requests wait for it. */
function readSourceMap(): void {
  void new Error('reads the source map').stack;
}

function settingsOrExit<C>(service: string, readSettings: () => C): C {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const log = createLog({ service });
    reportFault(log, error);
    log.flush();
    process.exit(1);
  }
}
