import { openAccounts } from '@gatehouse/accounts';
import { handoverCodes } from '@gatehouse/db';
import { runService } from '@gatehouse/runtime';
import { createPortal } from './app.ts';
import { readPortalConfig } from './config.ts';
import { answerInvitationRequests } from './guest/answer-invitation-requests.ts';

const service = 'portal';
const SWEEP_SECONDS = 60;
const COUNT_SECONDS = 5;

runService(
  service,
  () => readPortalConfig(),
  async ({ config, life, log, metrics }) => {
    const publicUrl = config.PUBLIC_URL ?? config.ISSUER;
    const browserUrls = { pages: publicUrl };
    const opened = openAccounts({ service, settings: config, life, log, metrics, browserUrls });
    const { auth, readiness, ...accounts } = opened;
    const mailRequests = answerInvitationRequests(accounts, metrics);
    life.every(COUNT_SECONDS, 'counting requests for invitations', () => mailRequests.countWaiting());
    life.onStop(() => mailRequests.stop());
    const deps = { ...accounts, publicUrl, returnUrls: config.returnUrls, mailRequests };
    life.every(SWEEP_SECONDS, 'deleting used hand-over codes', () => handoverCodes.deleteExpired(deps.db));
    const { HOST: host, TRUST_PROXY: trustProxy, CORS_ORIGINS: corsOrigins, pages } = config;
    for (const gap of pages?.style.locales.gaps ?? [])
      log.warn('a language lacks texts of the pages', { ...gap });
    const api = createPortal({ deps, auth, log, metrics, trustProxy, corsOrigins, pages });
    life.onStop(() => api.close());
    return { checks: readiness, facts: { host, port: await api.listen({ host, port: config.PORT }) } };
  },
);
