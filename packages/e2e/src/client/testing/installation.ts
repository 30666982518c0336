import { logIn, newAccount } from '@gatehouse/accounts/testing';
import {
  createClient,
  type ClientEvents,
  type ClientOptions,
  type GatehouseClient,
  type Kept,
  type TokenStorage,
} from 'gatehouse-client';
import { routes as portalRoutes } from '@gatehouse/portal';
import { PASSWORD } from '../../testing/index.ts';
import { startServices, type Services } from '../../requests/services.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;
type Sent = { method: string; path: string; body: string; signal: AbortSignal };
/** Intercepts the requests of a client: forwards a request or not. */
type Interceptor = (sent: Sent, send: () => Promise<Response>) => Promise<Response>;

/** Services, and clients that behave like tabs of one browser. */
export interface Installation {
  services: Services;
  /** A client in a separate browser. */
  open(options?: Partial<ClientOptions>): TestClient;
  /** This many tabs of one browser. */
  openTabs(count: number, options?: Partial<ClientOptions>): TestClient[];
  /** A new account and its login credentials. */
  newPerson(): Promise<{ id: string; Username: string; Password: string }>;
  /** Changes a session, or all sessions of an account, as an administrator. */
  change(body: object): Promise<void>;
  closeClients(): void;
  stop(): Promise<void>;
}

export interface TestClient {
  auth: GatehouseClient;
  storage: TokenStorage;
  /** The paths that it requested, in order. */
  asked: string[];
  /** Its events, in order. */
  told: { name: keyof ClientEvents; event: object }[];
  /** From now on requests pass this interceptor; without one they are sent directly. */
  go(interceptor?: Interceptor): void;
}

const ADMIN = 'http://admin.gatehouse.test';
const PORTAL = new Set(portalRoutes.map(({ path }) => path.split('.')[0]));
const EVENTS = ['signed-in', 'ended', 'restricted', 'restored'] as const;

export async function startInstallation(
  changes: Parameters<typeof startServices>[0] = {},
): Promise<Installation> {
  const services = await startServices(changes);
  const admin = await logIn(services.app, await newAccount(services.app, { role: 'Admin' }));
  const clients: TestClient[] = [];

  /** The URL at the service that the gateway would choose. */
  const addressOf = ({ origin, pathname, search }: URL): string => {
    const isPortal = [...PORTAL].some((path) => pathname === path || pathname.startsWith(`${path}/`));
    const api = origin === ADMIN ? 'Admin' : isPortal ? 'Portal' : 'Core';
    return services.url(api) + pathname + search;
  };

  let browsers = 0;
  const openBrowser = () => ({
    storage: newStorage(),
    baseUrl: `http://browser${++browsers}.gatehouse.test`,
  });
  const openIn = (
    { storage, baseUrl }: ReturnType<typeof openBrowser>,
    options: Partial<ClientOptions> = {},
  ): TestClient => {
    let go: Interceptor = (_, send) => send();
    const asked: string[] = [];
    const told: TestClient['told'] = [];
    const through: Fetch = async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      if (url.hostname === '127.0.0.1') return fetch(request);
      asked.push(url.pathname);
      const body = await request.clone().text();
      const { method, signal } = request;
      return go({ method, path: url.pathname, body, signal }, () =>
        fetch(addressOf(url), {
          method,
          headers: request.headers,
          signal,
          ...(body !== '' && { body }),
        }),
      );
    };
    const auth = createClient({ baseUrl, adminUrl: ADMIN, storage, fetch: through, ...options });
    for (const name of EVENTS) auth.on(name, (event) => told.push({ name, event }));
    const client = {
      auth,
      storage,
      asked,
      told,
      go: (interceptor: Interceptor = (_, send) => send()) => {
        go = interceptor;
      },
    };
    clients.push(client);
    return client;
  };

  return {
    services,
    open: (options) => openIn(openBrowser(), options),
    openTabs: (count, options) => {
      const browser = openBrowser();
      return Array.from({ length: count }, () => openIn(browser, options));
    },
    newPerson: async () => {
      const { id, email } = await newAccount(services.app, { role: 'User' });
      return { id, Username: email, Password: PASSWORD };
    },
    change: async (body) => {
      const { status, text } = await services.send('Admin', {
        method: 'POST',
        path: '/admin/user-session',
        headers: { authorization: `Bearer ${admin.Token}` },
        body,
      });
      if (status !== 200) throw new Error(text);
    },
    closeClients: () => {
      for (const { auth } of clients.splice(0)) auth.close();
    },
    stop: () => services.stop(),
  };
}

/** Storage that tabs share. Like IndexedDB, it answers asynchronously and with copies. */
function newStorage(): TokenStorage {
  let kept: Kept | undefined;
  const later = () => new Promise((resolve) => setImmediate(resolve));
  return {
    read: async () => {
      await later();
      return structuredClone(kept);
    },
    update: async (change) => {
      await later();
      kept = structuredClone(change(structuredClone(kept)));
      return structuredClone(kept);
    },
  };
}
