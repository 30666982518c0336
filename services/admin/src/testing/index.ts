import {
  openTestAccounts,
  accountFixtures,
  someAddress,
  type TestAccounts,
} from '@gatehouse/accounts/testing';
import { callsOver, startTestApi } from '@gatehouse/http/testing';
import { adminApi } from '../app.ts';

/**
 * Admin on real servers with a separate database; `stop` ends it. `secondInstance`: another process of the
 * same installation. `newAccount` and `login` create accounts and sessions without Core. `sso`: identity providers, as the environment names them.
 */
export async function startAdmin(
  changes: Parameters<typeof openTestAccounts>[0] = {},
  secondInstance?: { app: TestAccounts },
  sso: { ADMIN_URL?: string; SSO_PROVIDERS?: string } = {},
) {
  const app = await openTestAccounts(changes, secondInstance?.app, 'admin');
  const api = adminApi(app.service, { ...app.settings, ...sso });
  const admin = await startTestApi(app, api);
  return { ...admin, ...callsOver(admin.http, someAddress()), ...accountFixtures(app) };
}

export type TestAdmin = Awaited<ReturnType<typeof startAdmin>>;
