import { openTestAccounts, peopleOf, someAddress, type TestAccounts } from '@gatehouse/accounts/testing';
import { callsOver, listen } from '@gatehouse/http/testing';
import { createMetrics } from '@gatehouse/runtime';
import { createPortal } from '../app.ts';
import { answerInvitationRequests } from '../guest/answer-invitation-requests.ts';

/** Where a login may send browsers on to. */
export const RETURN_URL = 'https://app.gatehouse.test/signed-in';

/**
 * Portal as it runs, on real servers, with a database of its own; `stop` ends it. `secondInstance`: another process of the
 * same installation. Accounts and sessions come without Core: `newAccount`, `login`.
 */
export async function startPortal(
  changes: Parameters<typeof openTestAccounts>[0] = {},
  secondInstance?: { app: TestAccounts },
) {
  const app = await openTestAccounts(changes, secondInstance?.app, 'portal');
  const { auth, log } = app;
  const metrics = createMetrics('test');
  const mailRequests = answerInvitationRequests(app.service, metrics);
  const api = createPortal({
    deps: { ...app.service, publicUrl: app.settings.ISSUER, returnUrls: [RETURN_URL], mailRequests },
    auth,
    log,
    metrics,
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
      await mailRequests.stop();
      await app.stop();
    },
  };
}

export type TestPortal = Awaited<ReturnType<typeof startPortal>>;
