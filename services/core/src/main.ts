import { readFileSync } from 'node:fs';
import { openAccounts } from '@gatehouse/accounts';
import type { OpenApi } from '@gatehouse/http';
import { runService } from '@gatehouse/runtime';
import { answerMailRequests } from './account/mail/answer-mail-requests.ts';
import { createCore } from './app.ts';
import { readCoreConfig } from './config.ts';
import { createFaceLimiter } from './person/face/with-transaction-retry.ts';
import { takeReports } from './person/report/take-reports.ts';

const service = 'core';
const PUBLIC_DOCUMENT = new URL('public-openapi.json', import.meta.url);

runService(service, readCoreConfig, async ({ config, life, log, metrics }) => {
  const browserUrls = { pages: config.PUBLIC_URL ?? config.ISSUER, console: config.ADMIN_URL };
  const opened = openAccounts({ service, settings: config, life, log, metrics, browserUrls });
  const { auth, readiness, ...rest } = opened;
  const { ISSUER: issuer, SELF_REGISTRATION: selfRegistration, faceRules, pages } = config;
  const own = { ...rest, issuer, selfRegistration, pages, faceRules, faceLimiter: createFaceLimiter() };
  const mailRequests = answerMailRequests(own, metrics);
  life.every(5, 'counting requests for emails', () => mailRequests.countWaiting());
  life.onStop(() => mailRequests.stop());
  const deps = { ...own, mailRequests };
  takeReports({ deps, url: config.AMQP_URL, ca: config.AMQP_CA, life, metrics });
  const { HOST: host, TRUST_PROXY: trustProxy, CORS_ORIGINS: corsOrigins, personRoles } = config;
  // Written by `npm run openapi`.
  const publicDocument = JSON.parse(readFileSync(PUBLIC_DOCUMENT, 'utf8')) as OpenApi;
  const api = createCore({ deps, auth, log, metrics, trustProxy, corsOrigins, personRoles, publicDocument });
  life.onStop(() => api.close());
  return { checks: readiness, facts: { host, port: await api.listen({ host, port: config.PORT }) } };
});
