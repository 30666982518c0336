import type { TestAccounts } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startAdmin } from '../../../../services/admin/src/testing/index.ts';
import { startCore } from '../../../../services/core/src/testing/index.ts';
import { startPortal } from '../../../../services/portal/src/testing/index.ts';
import { send, type Sent } from './send.ts';

/** Core, Portal and Admin of one installation. */
export type Services = Awaited<ReturnType<typeof startServices>>;

/** `secondInstance`: the installation to join. `sso`: the identity providers, as environment variables. */
export async function startServices(
  changes: Parameters<typeof startCore>[0] = {},
  secondInstance?: { app: TestAccounts },
  sso: Parameters<typeof startAdmin>[2] = {},
) {
  const core = await startCore({ EMAIL_LOGIN: 'guests', ...changes }, secondInstance, {
    pages: { addresses: {}, returnUrls: [], locales: ['en', 'de'], providers: offeredBy(sso) },
  });
  const portal = await startPortal({}, core);
  const admin = await startAdmin({}, core, sso);
  const byApi = { Core: core, Portal: portal, Admin: admin };
  // Nothing is published, so tests find mailed codes and links in the outbox.
  for (const { app } of [core, portal, admin]) await app.relay.stop();
  const app: TestAccounts = core.app;
  return {
    app,
    /** Sends a request to one of them, unchanged. */
    send: (api: keyof typeof byApi, request: Sent) => send(byApi[api].url, request),
    sql: (text: string, values: string[] = []) => query<Record<string, string>>(app.db, text, values),
    /**
     * Makes each service open this many connections to Postgres, because a slow Postgres would take too long to open
     * them.
     */
    warm: async (connections: number): Promise<void> => {
      const open = async ({ app: { service } }: { app: TestAccounts }) => {
        const held = [];
        while (held.length < connections) held.push(await service.db.transaction());
        await Promise.all(held.map((tx) => tx.rollback()));
      };
      await Promise.all([core, portal, admin].map(open));
    },
    url: (api: keyof typeof byApi): string => byApi[api].url,
    portal,
    admin,
    /** All log lines so far. */
    lines: () => [core, portal, admin].flatMap((service) => service.app.lines),
    stop: async (): Promise<void> => {
      await admin.stop();
      await portal.stop();
      await core.stop();
    },
  };
}

/** The identity providers that the pages list. */
function offeredBy({ ADMIN_URL, SSO_PROVIDERS = '[]' }: { ADMIN_URL?: string; SSO_PROVIDERS?: string }) {
  const listed = JSON.parse(SSO_PROVIDERS) as { id: string }[]; // set by a test
  return listed.map(({ id }) => ({ Id: id, Name: id, LoginUrl: `${ADMIN_URL}/auth/${id}/login` }));
}
