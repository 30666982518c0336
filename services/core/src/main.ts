import { openAccounts } from '@gatehouse/accounts';
import { runService } from '@gatehouse/runtime';
import { createCore } from './app.ts';
import { readCoreConfig } from './config.ts';
import { createFaceTurns } from './person/in-rounds.ts';
import { takeReports } from './person/take-reports.ts';

const service = 'core';

runService(service, readCoreConfig, async ({ config, life, log, metrics }) => {
  const { auth, readiness, ...rest } = openAccounts({ service, settings: config, life, log, metrics });
  const { ISSUER: issuer, faceRules } = config;
  const deps = { ...rest, issuer, faceRules, faceTurns: createFaceTurns() };
  takeReports({ deps, url: config.AMQP_URL, ca: config.AMQP_CA, life, metrics });
  const { HOST: host, TRUST_PROXY: trustProxy, CORS_ORIGINS: corsOrigins, personRoles } = config;
  const api = createCore({ deps, auth, log, metrics, trustProxy, corsOrigins, personRoles });
  life.onStop(() => api.close());
  return { checks: readiness, facts: { host, port: await api.listen({ host, port: config.PORT }) } };
});
