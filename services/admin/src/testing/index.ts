import { openTestAccounts, accountFixtures, someAddress } from '@gatehouse/accounts/testing';
import type { TestAccounts } from '@gatehouse/accounts/testing';
import { TEST_SECRET } from '@gatehouse/auth-core/testing';
import { callsOver, startTestApi } from '@gatehouse/http/testing';
import { hookPublicKeyOf } from '@gatehouse/runtime';
import { adminApi } from '../app.ts';

/**
 * Admin on real servers with a separate database. `secondInstance`: another process of the same installation.
 * `sso`: identity providers, as the environment names them.
 */
export async function startAdmin(
  changes: Parameters<typeof openTestAccounts>[0] = {},
  secondInstance?: { app: TestAccounts },
  sso: { ADMIN_URL?: string; SSO_PROVIDERS?: string; WEBHOOKS?: 'off' | 'on' } = {},
) {
  const app = await openTestAccounts(changes, secondInstance?.app, 'admin');
  const hooks = { WEBHOOKS: 'on', HOOK_PUBLIC_KEY: hookPublicKeyOf(TEST_SECRET) } as const;
  const api = adminApi(app.service, { ...app.settings, ...hooks, ...sso });
  const admin = await startTestApi(app, api);
  return { ...admin, ...callsOver(admin.http, someAddress()), ...accountFixtures(app) };
}

export type TestAdmin = Awaited<ReturnType<typeof startAdmin>>;
