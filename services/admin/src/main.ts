import { bootstrapAdmin, createOverview, forgetStatistics, openAccounts } from '@gatehouse/accounts';
import { readServiceConfig, runService } from '@gatehouse/runtime';
import { createAdmin } from './app.ts';
import { settings } from './config.ts';
import { openSso } from './sso/sso.ts';

const service = 'admin';

runService(
  service,
  () => readServiceConfig(settings),
  async ({ config, life, log, metrics }) => {
    const sso = openSso({ settings: config, now: Date.now, log });
    const { auth, readiness, ...accounts } = openAccounts({
      service,
      settings: config,
      life,
      log,
      metrics,
      confirmsAdministrators: true,
      browserUrls: { console: config.ADMIN_URL },
    });
    const deps = { ...accounts, sso, overview: createOverview(accounts) };
    bootstrapAdmin(accounts, config, life);
    forgetStatistics(accounts, life);
    const { HOST: host, TRUST_PROXY: trustProxy, CORS_ORIGINS: corsOrigins } = config;
    const api = createAdmin({ deps, auth, log, metrics, trustProxy, corsOrigins });
    life.onStop(() => api.close());
    return { checks: readiness, facts: { host, port: await api.listen({ host, port: config.PORT }) } };
  },
);
