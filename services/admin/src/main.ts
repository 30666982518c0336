import { openAccounts, openPasskeys } from '@gatehouse/accounts';
import { deleteExpired } from '@gatehouse/db';
import { runApi } from '@gatehouse/http';
import { readServiceConfig } from '@gatehouse/runtime';
import { endBans } from './account/change.ts';
import { bootstrapAdmin } from './account/first-admin.ts';
import { startErasing } from './erasure/erase-due.ts';
import { adminApi } from './app.ts';
import { settings } from './config.ts';
import { declareClients, readDeclaredClients } from './oauth/declared-clients.ts';
import { startRetention } from './erasure/retention.ts';
import { forgetStatistics } from './statistics/statistics.ts';
import { measureOnline } from './statistics/totals.ts';
import { openWebhooks } from './open-webhooks.ts';
import { deleteFormerSecrets, reportDisabledWebhooks } from './webhook/webhook.ts';

const service = 'admin';

runApi(
  service,
  () => readServiceConfig(settings),
  async ({ config, ...parts }) => {
    const pagesUrl = config.PUBLIC_URL ?? config.ISSUER;
    const { readiness, ...accounts } = await openAccounts({
      ...parts,
      service,
      settings: config,
      confirmsAdministrators: true,
      browserUrls: { console: config.ADMIN_URL },
      passkeys: openPasskeys(config, { pagesUrl, consoleUrl: config.ADMIN_URL }, parts.log),
    });
    await bootstrapAdmin(accounts, config, parts.lifecycle);
    const surroundings = { audience: config.AUDIENCE, slots: accounts.slots, ...openWebhooks(config) };
    declareClients(accounts, readDeclaredClients(config.OAUTH_CLIENTS, surroundings), parts.lifecycle);
    forgetStatistics(accounts.db, parts.lifecycle);
    startRetention(accounts, config, parts);
    parts.lifecycle.every(60, 'deleting used codes and former secrets', async () => {
      await deleteFormerSecrets(accounts.db);
      await deleteExpired(accounts.db, ['console_code', 'sign_on_code']);
    });
    parts.lifecycle.every(10, 'reporting disabled webhooks', () => reportDisabledWebhooks(accounts));
    parts.lifecycle.every(5, 'ending bans', () => endBans(accounts));
    startErasing(accounts, parts);
    measureOnline(accounts.db, config.ONLINE_WINDOW_SECONDS, parts.metrics);
    return { api: { ...adminApi(accounts, config), publicUrl: config.ADMIN_URL }, readiness };
  },
);
