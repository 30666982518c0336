import { bootstrapAdmin, forgetStatistics, openAccounts, openPasskeys } from '@gatehouse/accounts';
import { consoleCodes } from '@gatehouse/db';
import { runApi } from '@gatehouse/http';
import { readServiceConfig } from '@gatehouse/runtime';
import { adminApi } from './app.ts';
import { settings } from './config.ts';
import { measureOnline } from './statistics/online-metric.ts';

const service = 'admin';
const SWEEP_SECONDS = 60;

runApi(
  service,
  () => readServiceConfig(settings),
  ({ config, ...parts }) => {
    const pagesUrl = config.PUBLIC_URL ?? config.ISSUER;
    const { readiness, ...accounts } = openAccounts({
      ...parts,
      service,
      settings: config,
      confirmsAdministrators: true,
      browserUrls: { console: config.ADMIN_URL },
      passkeys: openPasskeys(config, { pagesUrl, consoleUrl: config.ADMIN_URL }, parts.log),
    });
    bootstrapAdmin(accounts, config, parts.life);
    forgetStatistics(accounts, parts.life);
    parts.life.every(SWEEP_SECONDS, 'deleting used codes of the console', () =>
      consoleCodes.deleteExpired(accounts.db),
    );
    measureOnline({
      db: accounts.db,
      onlineWindowSeconds: config.ONLINE_WINDOW_SECONDS,
      metrics: parts.metrics,
    });
    return { api: adminApi(accounts, config), readiness };
  },
);
