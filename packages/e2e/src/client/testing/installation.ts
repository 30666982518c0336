import { changeAccount } from '@gatehouse/accounts';
import { newAccount, PASSWORD, servicesOf } from '@gatehouse/accounts/testing';
import { createClient } from 'gatehouse-client';
import type {
  ClientEvents,
  ClientOptions,
  Ending,
  GatehouseClient,
  Kept,
  TokenStorage,
} from 'gatehouse-client';
import { eventually } from '@gatehouse/runtime/testing';
import { routed, startServices } from '../../requests/services.ts';

type Fetch = NonNullable<ClientOptions['fetch']>;
type Sent = { method: string; path: string; body: string; signal: AbortSignal };
type Interceptor = (sent: Sent, send: () => Promise<Response>) => Promise<Response>;

const ADMIN = 'http://admin.gatehouse.test';
const EVENTS = ['signed-in', 'ended', 'restricted', 'restored'] as const;

export const countOf = (path: string, tabs: readonly TestClient[]): number =>
  tabs.flatMap(({ asked }) => asked).filter((one) => one === path).length;

export const endingsOf = ({ told }: TestClient): Ending[] =>
  told.filter(({ name }) => name === 'ended').map(({ event }) => event as Ending);

/** Logs somebody in with a tab, the first one unless given, and waits until the others know. */
export async function signIn(
  person: Parameters<GatehouseClient['login']>[0],
  tabs: readonly TestClient[],
  by = tabs[0],
): Promise<void> {
  await by?.auth.login(person);
  await eventually(() => tabs.every(({ auth }) => auth.getState().kind === 'signed-in'));
}

export type Installation = ReturnType<typeof installation>;
export type TestClient = ReturnType<Installation['open']>;

const service = servicesOf(() => startServices());

/**
 * Services for the tests of a file, and clients that behave like tabs of one browser, which are closed after each test.
 * All files without settings share the services of their process.
 */
export function installation(changes?: Parameters<typeof startServices>[0]) {
  const services = service(changes && (() => startServices(changes)));
  const clients: GatehouseClient[] = [];
  afterEach(() => {
    for (const auth of clients.splice(0)) auth.close();
  });

  const addressOf = (method: string, { pathname, search }: URL): string =>
    services().url(routed(method, pathname).api) + pathname + search;

  let browsers = 0;
  const openBrowser = () => ({
    storage: newStorage(),
    baseUrl: `http://browser${++browsers}.gatehouse.test`,
  });
  const openIn = (
    { storage, baseUrl }: ReturnType<typeof openBrowser>,
    options: Partial<ClientOptions> = {},
  ) => {
    let go: Interceptor = (_, send) => send();
    /** The paths that it requested, and its events, in order. */
    const asked: string[] = [];
    const told: { name: keyof ClientEvents; event: object }[] = [];
    const through: Fetch = async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      if (url.hostname === '127.0.0.1') return fetch(request);
      asked.push(url.pathname);
      const body = await request.clone().text();
      const { method, signal } = request;
      return go({ method, path: url.pathname, body, signal }, () =>
        fetch(addressOf(method, url), {
          method,
          headers: request.headers,
          signal,
          ...(body !== '' && { body }),
        }),
      );
    };
    const auth = createClient({ baseUrl, adminUrl: ADMIN, storage, fetch: through, ...options });
    for (const name of EVENTS) auth.on(name, (event) => told.push({ name, event }));
    clients.push(auth);
    return {
      ...{ auth, storage, asked, told },
      /** From now on requests pass this interceptor; without one they are sent directly. */
      go: (interceptor: Interceptor = (_, send) => send()) => {
        go = interceptor;
      },
    };
  };

  return {
    get services() {
      return services();
    },
    /** A client in a separate browser. */
    open: (options?: Partial<ClientOptions>) => openIn(openBrowser(), options),
    openTabs: (count: number, options?: Partial<ClientOptions>) => {
      const browser = openBrowser();
      return Array.from({ length: count }, () => openIn(browser, options));
    },
    newPerson: async () => {
      const { id, email } = await newAccount(services().app, { role: 'User' });
      return { id, Username: email, Password: PASSWORD };
    },
    changeAccount: (id: string, what: Parameters<typeof changeAccount>[2]) =>
      changeAccount(services().app, id, what, {
        actor: { kind: 'System' },
        origin: { traceId: '0', dueAt: Infinity },
      }),
    /** Changes a session, or all sessions of an account, as an administrator. */
    change: async (body: object): Promise<void> => {
      const { adminToken: token, call } = services();
      const { status, text } = await call('POST /admin/user-session', { token, body });
      if (status !== 200) throw new Error(text);
    },
  };
}

/** Gives this process what a page has, as it is at each time. What it returns takes that away. */
export function addGlobals(parts: object): () => void {
  const names = Object.keys(parts);
  for (const name of names)
    Object.defineProperty(globalThis, name, { configurable: true, get: () => Reflect.get(parts, name) });
  return () => {
    for (const name of names) Reflect.deleteProperty(globalThis, name);
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
