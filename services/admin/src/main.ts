import { openAccounts } from '@gatehouse/accounts';
import { readConfig, runService } from '@gatehouse/runtime';
import { createAdmin } from './app.ts';
import { settings } from './config.ts';

const service = 'admin';

runService(
  service,
  () => readConfig(settings),
  async ({ config, life, log, metrics }) => {
    const { auth, readiness, ...deps } = openAccounts({ service, settings: config, life, log, metrics });
    const { HOST: host, TRUST_PROXY: trustProxy, CORS_ORIGINS: corsOrigins } = config;
    const api = createAdmin({ deps, auth, log, metrics, trustProxy, corsOrigins });
    life.onStop(() => api.close());
    return { checks: readiness, facts: { host, port: await api.listen({ host, port: config.PORT }) } };
  },
);
