import { ConfigError } from '../settings/config.ts';
import { createInternalServer, type ReadinessChecks } from './internal-server.ts';
import { createLog, type Log } from '../log/log.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import type { ProcessSettings } from './process-settings.ts';
import { run, type Life } from './run.ts';

/** What a process is built with. */
export interface ServiceParts<C> {
  config: C;
  log: Log;
  life: Life;
  metrics: Metrics;
}

/**
 * Runs a service: reads its settings (an error is one line and exit code 1), opens its internal port, lets `build`
 * create the rest, and is ready once that is done and `checks` pass. `facts` are added to the line that reports it.
 */
export function runService<C extends ProcessSettings>(
  service: string,
  readSettings: () => C,
  build: (parts: ServiceParts<C>) => Promise<{ checks: ReadinessChecks; facts?: Record<string, unknown> }>,
): void {
  const config = settingsOrExit(service, readSettings);
  const log = createLog({ service, level: config.LOG_LEVEL });
  run(log, async (life) => {
    const metrics = createMetrics(service);
    const checks: ReadinessChecks = { started: () => Promise.reject(new Error('still starting')) };
    const internal = await createInternalServer({
      host: config.INTERNAL_HOST,
      port: config.INTERNAL_PORT,
      metrics,
      checks,
      isStopping: () => life.stopping,
    });
    life.onStop(() => internal.close());
    const built = await build({ config, log, life, metrics });
    delete checks['started'];
    Object.assign(checks, built.checks);
    log.info('listening', { ...built.facts, internalPort: internal.port });
  });
}

function settingsOrExit<C>(service: string, readSettings: () => C): C {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const log = createLog({ service });
    log.error(error.message);
    log.flush();
    process.exit(1);
  }
}
