import { openAccounts } from '@gatehouse/accounts';
import { createInternalServer, createLog, createMetrics, readConfig, run } from '@gatehouse/runtime';
import { createAdmin } from './app.ts';
import { settings } from './config.ts';

const service = 'admin';
const config = readConfig(settings);
const log = createLog({ service, level: config.LOG_LEVEL });

run(log, async (life) => {
  const metrics = createMetrics(service);
  const { auth, readiness, ...deps } = openAccounts({ service, settings: config, life, log, metrics });
  const { TRUST_PROXY: trustProxy, CORS_ORIGINS: corsOrigins, INTERNAL_HOST, INTERNAL_PORT } = config;
  const api = createAdmin({ deps, auth, log, metrics, trustProxy, corsOrigins });
  const internal = await createInternalServer({
    host: INTERNAL_HOST,
    port: INTERNAL_PORT,
    metrics,
    checks: readiness,
    isStopping: () => life.stopping,
  });
  life.onStop(() => internal.close());
  const port = await api.listen({ host: config.HOST, port: config.PORT });
  life.onStop(() => api.close());
  log.info('listening', { host: config.HOST, port, internalPort: internal.port });
});
