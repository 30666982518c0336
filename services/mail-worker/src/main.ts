import { createInternalServer, createLog, createMetrics, run } from '@gatehouse/runtime';
import { readWorkerConfig } from './config.ts';
import { openWorker } from './deps.ts';

const service = 'mail-worker';
const config = readWorkerConfig();
const log = createLog({ service, level: config.LOG_LEVEL });

run(log, async (life) => {
  const metrics = createMetrics(service);
  const checks = openWorker({ config, service, life, log, metrics });
  const { INTERNAL_HOST: host, INTERNAL_PORT: port } = config;
  const isStopping = () => life.stopping;
  const internal = await createInternalServer({ host, port, metrics, checks, isStopping });
  life.onStop(() => internal.close());
  log.info('listening', { internalPort: internal.port });
});
