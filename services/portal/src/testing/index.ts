import { openTestAccounts, accountFixtures, someAddress } from '@gatehouse/accounts/testing';
import type { TestAccounts } from '@gatehouse/accounts/testing';
import { callsOver, startTestApi } from '@gatehouse/http/testing';
import { createMetrics } from '@gatehouse/runtime';
import { portalApi } from '../app.ts';

/** Portal on real servers with a separate database. `secondInstance`: another process of the same installation. */
export async function startPortal(
  changes: Parameters<typeof openTestAccounts>[0] = {},
  secondInstance?: { app: TestAccounts },
  contentUrl?: string,
) {
  const app = await openTestAccounts(changes, secondInstance?.app, 'portal');
  const metrics = createMetrics('test');
  const api = portalApi(app.service, { contentUrl, lifecycle: app.lifecycle, metrics });
  const portal = await startTestApi(app, api, metrics);
  return { ...portal, ...callsOver(portal.http, someAddress()), ...accountFixtures(app) };
}

export type TestPortal = Awaited<ReturnType<typeof startPortal>>;
