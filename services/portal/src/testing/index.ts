import { openTestAccounts, peopleOf, someAddress, type TestAccounts } from '@gatehouse/accounts/testing';
import { callsOver, listen } from '@gatehouse/http/testing';
import { createMetrics } from '@gatehouse/runtime';
import { createPortal } from '../app.ts';

/**
 * Portal as it runs, on real servers, with a database of its own; `stop` ends it. `beside`: another process of the
 * same installation. Accounts and sessions come without Core: `newAccount`, `login`.
 */
export async function startPortal(
  changes: Parameters<typeof openTestAccounts>[0] = {},
  beside?: { house: TestAccounts },
) {
  const house = await openTestAccounts(changes, beside?.house, 'portal');
  const { auth, log } = house;
  const api = createPortal({
    deps: house.service,
    auth,
    log,
    metrics: createMetrics('test'),
    trustProxy: '127.0.0.1',
    corsOrigins: '',
  });
  const { http, stop, url } = await listen(api);
  return {
    house,
    http,
    url,
    ...callsOver(http, someAddress()),
    ...peopleOf(house),
    stop: async () => {
      await stop();
      await house.stop();
    },
  };
}

export type TestPortal = Awaited<ReturnType<typeof startPortal>>;
