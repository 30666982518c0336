import { createOverview } from '@gatehouse/accounts';
import { openTestAccounts, peopleOf, someAddress, type TestAccounts } from '@gatehouse/accounts/testing';
import { callsOver, listen } from '@gatehouse/http/testing';
import { createMetrics } from '@gatehouse/runtime';
import { createAdmin } from '../app.ts';
import { openSso } from '../sso/sso.ts';

/**
 * Admin as it runs, on real servers, with a database of its own; `stop` ends it. `secondInstance`: another process of the
 * same installation. Accounts and sessions come without Core: `newAccount`, `login`. `sso`: identity providers, as the environment names them.
 */
export async function startAdmin(
  changes: Parameters<typeof openTestAccounts>[0] = {},
  secondInstance?: { app: TestAccounts },
  sso: { ADMIN_URL?: string; SSO_PROVIDERS?: string } = {},
) {
  const app = await openTestAccounts(changes, secondInstance?.app, 'admin');
  const { auth, log } = app;
  const api = createAdmin({
    deps: {
      ...app.service,
      overview: createOverview(app.service),
      sso: openSso({ settings: { ...app.settings, ...sso }, now: () => app.clock.now(), log }),
    },
    auth,
    log,
    metrics: createMetrics('test'),
    trustProxy: '127.0.0.1',
    corsOrigins: '',
  });
  const { http, stop, url } = await listen(api);
  return {
    app,
    http,
    url,
    ...callsOver(http, someAddress()),
    ...peopleOf(app),
    stop: async () => {
      await stop();
      await app.stop();
    },
  };
}

export type TestAdmin = Awaited<ReturnType<typeof startAdmin>>;
