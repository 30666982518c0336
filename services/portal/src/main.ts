import { openAccounts } from '@gatehouse/accounts';
import { runService } from '@gatehouse/runtime';
import { createPortal } from './app.ts';
import { readPortalConfig } from './config.ts';

const service = 'portal';

runService(
  service,
  () => readPortalConfig(),
  async ({ config, life, log, metrics }) => {
    const browserUrls = { pages: config.PUBLIC_URL ?? config.ISSUER };
    const opened = openAccounts({ service, settings: config, life, log, metrics, browserUrls });
    const { auth, readiness, ...deps } = opened;
    const { HOST: host, TRUST_PROXY: trustProxy, CORS_ORIGINS: corsOrigins, pages } = config;
    for (const gap of pages?.style.locales.gaps ?? [])
      log.warn('a language lacks texts of the pages', { ...gap });
    const api = createPortal({ deps, auth, log, metrics, trustProxy, corsOrigins, pages });
    life.onStop(() => api.close());
    return { checks: readiness, facts: { host, port: await api.listen({ host, port: config.PORT }) } };
  },
);
