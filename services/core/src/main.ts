import { openAccounts } from '@gatehouse/accounts';
import { createInternalServer, createLog, createMetrics, readConfig, run } from '@gatehouse/runtime';
import { createCore } from './app.ts';
import { settings } from './config.ts';

const service = 'core';
const config = readConfig(settings);
const log = createLog({ service, level: config.LOG_LEVEL });

run(log, async (life) => {
  const metrics = createMetrics(service);
  const {
    auth,
    readiness: checks,
    ...deps
  } = openAccounts({ service, settings: config, life, log, metrics });
  const { HOST: host, TRUST_PROXY: trustProxy, CORS_ORIGINS: corsOrigins } = config;
  const api = createCore({ deps, auth, log, metrics, trustProxy, corsOrigins });
  const internal = await createInternalServer({
    host: config.INTERNAL_HOST,
    port: config.INTERNAL_PORT,
    metrics,
    checks,
    isStopping: () => life.stopping,
  });
  life.onStop(() => internal.close());
  life.onStop(() => api.close());
  log.info('listening', {
    host,
    port: await api.listen({ host, port: config.PORT }),
    internalPort: internal.port,
  });
});
