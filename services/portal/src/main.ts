import { endAccess, openAccounts } from '@gatehouse/accounts';
import { handoverCodes } from '@gatehouse/db';
import { runApi } from '@gatehouse/http';
import { portalApi } from './app.ts';
import { readPortalConfig } from './config.ts';

const service = 'portal';
const SWEEP_SECONDS = 60;
/** How long a guest's session may outlive its access; the access itself ends on time. */
const ACCESS_SECONDS = 5;

runApi(
  service,
  () => readPortalConfig(),
  async ({ config, ...parts }) => {
    const { lifecycle, log } = parts;
    const { returnUrls, contentUrl, pages, PUBLIC_URL: publicUrl = config.ISSUER } = config;
    const browserUrls = { pages: publicUrl };
    const { readiness, ...accounts } = await openAccounts({
      ...parts,
      service,
      settings: config,
      browserUrls,
    });
    lifecycle.every(SWEEP_SECONDS, 'deleting used hand-over codes', () =>
      handoverCodes.deleteExpired(accounts.db),
    );
    lifecycle.every(ACCESS_SECONDS, 'ending access to content', () => endAccess(accounts));
    for (const gap of pages?.style.locales.gaps ?? [])
      log.warn('a language has missing page texts', { ...gap });
    return { api: portalApi(accounts, { ...parts, publicUrl, contentUrl, returnUrls, pages }), readiness };
  },
);
