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
/** Written by the build. */
const PUBLIC_DOCUMENT = new URL('public-openapi.json', import.meta.url);

runApi(service, readCoreConfig, async ({ config, ...parts }) => {
  const {
    ISSUER: issuer,
    PING_HEADERS: pingHeaders,
    SELF_REGISTRATION: selfRegistration,
    VERIFY_NEEDS_REGISTRANT: verifyNeedsRegistrant,
    agentRules,
    faceRules,
    pages,
    personRoles,
  } = config;
  const browserUrls = { pages: config.PUBLIC_URL ?? issuer, console: config.ADMIN_URL };
  const urls = { pagesUrl: browserUrls.pages, consoleUrl: config.ADMIN_URL };
  const passkeys = openPasskeys(config, urls, parts.log);
  const { readiness, ...accounts } = await openAccounts({
    ...parts,
    service,
    settings: config,
    browserUrls,
    passkeys,
  });
  const api = coreApi(accounts, {
    ...parts,
    ...openClientTokens({ ...parts, settings: config, keys: accounts.keys }),
    issuer,
    publicUrl: browserUrls.pages,
    tellsOfLogouts: config.WEBHOOKS === 'on',
    agents: agentRules && { ...agentRules, waiting: new Map() },
    pingHeaders,
    selfRegistration,
    verifyNeedsRegistrant,
    pages,
    faceRules,
    personRoles,
    publicDocument: () => JSON.parse(readFileSync(PUBLIC_DOCUMENT, 'utf8')) as OpenApi,
  });
  if (api.deps.tellsOfLogouts) startSigningLogouts(api.deps, parts.lifecycle);
  parts.lifecycle.every(
    SWEEP_SECONDS,
    'deleting codes, links and sign-ins to applications that are over',
    async () => {
      const { db } = accounts;
      const grantIdleSeconds = config.GRANT_IDLE_SECONDS;
      await deleteExpired(db, [
        'handover_code',
        'guest_login',
        'oauth_code',
        'device_authorization',
        'identity_link',
        'email_change',
      ]);
      await clientSessions.deleteOver(db, { grantIdleSeconds });
      await forgetAgents(accounts, agentRules);
    },
  );
  takeReports({ ...parts, deps: api.deps, url: config.AMQP_URL, ca: config.AMQP_CA });
  return { api: { ...api, publicUrl: browserUrls.pages }, readiness };
});
