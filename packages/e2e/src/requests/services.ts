import { logIn, newAccount, type TestAccounts } from '@gatehouse/accounts/testing';
import { ALL_ROUTES } from '@gatehouse/codegen';
import { query } from '@gatehouse/db';
import { startAdmin } from '../../../../services/admin/src/testing/index.ts';
import { startOAuthCore } from '../../../../services/core/src/oauth/testing.ts';
import { startPortal } from '../../../../services/portal/src/testing/index.ts';
import { send, type Sent } from './send.ts';

export type Services = Awaited<ReturnType<typeof startServices>>;

/** `secondInstance`: the installation to join. `sso`: the identity providers, as environment variables. */
export async function startServices(
  changes: Parameters<typeof startOAuthCore>[0] = {},
  secondInstance?: { app: TestAccounts },
  sso: Parameters<typeof startAdmin>[2] = {},
) {
  const core = await startOAuthCore({ EMAIL_LOGIN: 'guests', ...changes }, secondInstance, {
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
    adminToken: (await logIn(app, await newAccount(app, { role: 'Admin' }))).Token,
    send: (api: keyof typeof byApi, request: Sent) => send(byApi[api].url, request),
    /** A call, for example `POST /account/login`, of the service that has this route. */
    call: (line: string, { token, body, headers }: Given = {}) => {
      const [method = '', path = ''] = line.split(' ');
      const { api } = routed(method, path);
      const authorization = token !== undefined && { authorization: `Bearer ${token}` };
      return send(byApi[api].url, { method, path, body, headers: { ...authorization, ...headers } });
    },
    sql: (text: string, values: string[] = []) => query<Record<string, string>>(app.db, text, values),
    /** Makes each service open this many connections to Postgres, which would take too long while Postgres is slow. */
    warm: async (connections: number): Promise<void> => {
      const open = async ({ app: { service } }: { app: TestAccounts }) => {
        const held = [];
        while (held.length < connections) held.push(await service.db.transaction());
        await Promise.all(held.map((tx) => tx.rollback()));
      };
      await Promise.all([core, portal, admin].map(open));
    },
    url: (api: keyof typeof byApi): string => byApi[api].url,
    ...{ core, portal, admin },
    lines: () => [core, portal, admin].flatMap((service) => service.app.lines),
    stop: async (): Promise<void> => {
      await admin.stop();
      await portal.stop();
      await core.stop();
    },
  };
}

interface Given {
  token?: string | undefined;
  body?: object | undefined;
  headers?: Record<string, string>;
}

/** The route of a request, whose path may have a query, with its API. */
export function routed(method: string, path: string) {
  const [place = ''] = path.split('?');
  const entry = ALL_ROUTES.find(
    ({ route }) =>
      route.method.toUpperCase() === method &&
      new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(place),
  );
  if (entry === undefined) throw new Error(`no service has ${method} ${path}`);
  return entry;
}

function offeredBy({ ADMIN_URL, SSO_PROVIDERS = '[]' }: { ADMIN_URL?: string; SSO_PROVIDERS?: string }) {
  const listed = JSON.parse(SSO_PROVIDERS) as { id: string }[]; // set by a test
  return listed.map(({ id }) => ({ Id: id, Name: id, LoginUrl: `${ADMIN_URL}/auth/${id}/login` }));
}
