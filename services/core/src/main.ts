import { readFileSync } from 'node:fs';
import { openAccounts, openPasskeys } from '@gatehouse/accounts';
import { clientSessions, deleteExpired } from '@gatehouse/db';
import { runApi, type OpenApi } from '@gatehouse/http';
import { coreApi } from './app.ts';
import { readCoreConfig } from './config.ts';
import { forgetAgents } from './oauth/agents/find-agent.ts';
import { openClientTokens } from './oauth/open-client-tokens.ts';
import { startSigningLogouts } from './oauth/sign-logouts.ts';
import { takeReports } from './person/report/take-reports.ts';

const service = 'core';
const SWEEP_SECONDS = 60;
const EXPIRING = [
  'handover_code',
  'guest_login',
  'oauth_code',
  'device_authorization',
  'identity_link',
  'email_change',
] as const;
/** Written by the build. */
const PUBLIC_DOCUMENT = new URL('public-openapi.json', import.meta.url);

runApi(service, readCoreConfig, async ({ config, ...parts }) => {
  const { agentRules, faceRules, pages, personRoles } = config;
  const browserUrls = { pages: config.PUBLIC_URL ?? config.ISSUER, console: config.ADMIN_URL };
  const urls = { pagesUrl: browserUrls.pages, consoleUrl: config.ADMIN_URL };
  const passkeys = openPasskeys(config, urls, parts.log);
  const opening = { ...parts, service, settings: config, browserUrls, passkeys };
  const { readiness, ...accounts } = await openAccounts(opening);
  const api = coreApi(accounts, {
    ...parts,
    ...openClientTokens({ ...parts, settings: config, keys: accounts.keys }),
    issuer: config.ISSUER,
    publicUrl: browserUrls.pages,
    tellsOfLogouts: config.WEBHOOKS === 'on',
    agents: agentRules && { ...agentRules, waiting: new Map() },
    pingHeaders: config.PING_HEADERS,
    selfRegistration: config.SELF_REGISTRATION,
    verifyNeedsRegistrant: config.VERIFY_NEEDS_REGISTRANT,
    pages,
    faceRules,
    personRoles,
    publicDocument: () => JSON.parse(readFileSync(PUBLIC_DOCUMENT, 'utf8')) as OpenApi,
  });
  if (api.deps.tellsOfLogouts) startSigningLogouts(api.deps, parts.lifecycle);
  const sweeping = 'deleting codes, links and sign-ins to applications that are over';
  parts.lifecycle.every(SWEEP_SECONDS, sweeping, async () => {
    await deleteExpired(accounts.db, EXPIRING);
    await clientSessions.deleteOver(accounts.db, { grantIdleSeconds: config.GRANT_IDLE_SECONDS });
    await forgetAgents(accounts, agentRules);
  });
  takeReports({ ...parts, deps: api.deps, url: config.AMQP_URL, ca: config.AMQP_CA });
  return { api: { ...api, publicUrl: browserUrls.pages }, readiness };
});
