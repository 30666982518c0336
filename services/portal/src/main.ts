import { endAccess, openAccounts } from '@gatehouse/accounts';
import { runApi } from '@gatehouse/http';
import { portalApi } from './app.ts';
import { readPortalConfig } from './config.ts';

const service = 'portal';
/** How long a guest's session may outlive its access; the access itself ends on time. */
const ACCESS_SECONDS = 5;

runApi(
  service,
  () => readPortalConfig(),
  async ({ config, ...parts }) => {
    const { lifecycle, log } = parts;
    const { contentUrl, pages } = config;
    const browserUrls = { pages: config.PUBLIC_URL ?? config.ISSUER };
    const opening = { ...parts, service, settings: config, browserUrls };
    const { readiness, ...accounts } = await openAccounts(opening);
    lifecycle.every(ACCESS_SECONDS, 'ending access to content', () => endAccess(accounts));
    for (const gap of pages?.style.locales.gaps ?? [])
      log.warn('a language has missing page texts', { ...gap });
    const api = portalApi(accounts, { ...parts, contentUrl, pages });
    return { api: { ...api, publicUrl: browserUrls.pages }, readiness };
  },
);
