import type { Access } from './session/access-token.ts';
import { endingOf } from './session/ending.ts';
import { createAuthorizedFetch } from './api/authorized-fetch.ts';
import { createApi } from './api/call-api.ts';
import { ownError, retryAfterOf, type GatehouseError } from './api/gatehouse-error.ts';
import { createPinger, onWake, startKeepAlive, type KeepAlive } from './keep-alive/keep-alive.ts';
import type { AccountPage } from './login/ways-in.ts';
import { createLogins, loadLogins } from './login/logins.ts';
import { createRefresher, createRenewalTimer } from './session/refresher.ts';
import { sendJson, type Fetch } from './api/send-json.ts';
import { createServerCalls } from './api/server-calls.ts';
import { createSessionKeeper } from './session/session-keeper.ts';
import { memoryStorage, sharedStorage, type TokenStorage } from './session/token-storage.ts';
import { createStateStore } from './session/state.ts';
import type { SessionStream } from './stream/session-stream.ts';

export interface ClientOptions {
  /** The base URL of Core and Portal, for example `https://auth.example.com`. */
  baseUrl: string;
  /** The base URL of Admin. Required for its calls and for single sign-on. */
  adminUrl?: string;
  /**
   * Where the refresh token is stored. `shared` (default): in IndexedDB, once for all tabs of the origin; in memory if
   * there is no IndexedDB, as in Node. `memory`: it is lost when the page is closed.
   */
  storage?: 'shared' | 'memory' | TokenStorage;
  /** The origins that `auth.fetch` may send the token to, besides those of the page, `baseUrl` and `adminUrl`. */
  origins?: readonly string[];
  /**
   * How the client learns that the session was ended elsewhere. `stream` (default in a page): immediately, through one
   * stream for all tabs, while one of them is visible. `ping` (default elsewhere): with the next ping or call.
   */
  events?: 'stream' | 'ping';
  /** The kind of device, if the installation has tags (`SESSION_SLOTS`): logins replace only sessions of the same tag. */
  sessionTag?: string;
  /** Replaces the global `fetch`. */
  fetch?: Fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Creates a client for one installation: it tracks who is signed in and keeps tokens valid. Create one per page. */
export function createClient(options: ClientOptions) {
  if (!options?.baseUrl) throw new TypeError('createClient: baseUrl is required');
  const { baseUrl, adminUrl, storage = 'shared', now = Date.now } = options;
  const { events = typeof document === 'object' ? 'stream' : 'ping' } = options;
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const isHidden = (): boolean => typeof document === 'object' && document.visibilityState === 'hidden';

  const state = createStateStore();
  const server = createServerCalls({ baseUrl, adminUrl, fetch, now });
  const hasDatabase = storage === 'shared' && typeof indexedDB === 'object';
  const shared = typeof storage === 'object' ? storage : hasDatabase && sharedStorage(server.base);
  const alive = new Set<ReturnType<typeof startKeepAlive>>();
  const timer = createRenewalTimer({
    now,
    isHidden,
    isWanted: () => !isHidden() || [...alive].some(({ isActive }) => isActive()),
    renew: () => refresher.refresh(),
  });
  const keeper = createSessionKeeper({
    storage: shared || memoryStorage(),
    state,
    now,
    channel: shared && typeof BroadcastChannel === 'function' ? `gatehouse:${server.base}` : '',
    hear: (message) => {
      pinger.hear(message);
      stream?.hear(message);
    },
    onTokens: timer.arm,
  });
  const refresher = createRefresher({ keeper, now, exchange: server.exchange });

  const starting = keeper.read().then(
    (session) => {
      if (session !== undefined) keeper.tabs.post({ kind: 'who', counter: 0 });
    },
    () => state.signOut(),
  );

  /** Returns a token that is valid for a while, but not the refused one. */
  async function access(refused?: Access): Promise<Access> {
    await starting;
    if (state.session() === undefined) throw ownError('signed_out');
    const good = goodAccess();
    if (good !== undefined && good.token !== refused?.token) return good;
    return refresher.refresh().catch((error: Partial<GatehouseError>) => {
      // Another sign-in has happened in the meantime.
      const other = goodAccess();
      if (error.code === 'superseded' && other !== undefined) return other;
      throw error;
    });
  }
  function goodAccess(): Access | undefined {
    const held = keeper.access();
    return held !== undefined && keeper.isUsable(held) ? held : undefined;
  }

  const pinger = createPinger({
    tabs: keeper.tabs,
    state,
    now,
    access,
    send: ({ token }, contentDefinitionId) => server.ping(token, contentDefinitionId),
    async onOver(sessionId, { PingStatus, ReplacedBy }) {
      // A refresh is refused with the exact reason, and then ends the session itself.
      await refresher.refresh().catch(() => {});
      const reason = PingStatus === 3 ? 'expired' : ReplacedBy === undefined ? 'deactivated' : 'replaced';
      await keeper.end(sessionId, { reason, by: ReplacedBy });
    },
  });

  /** Checks what happened to the session while this tab was suspended. */
  async function look(): Promise<void> {
    keeper.tabs.open();
    if ((await keeper.read()) !== undefined && now() - pinger.lastAt() > JUST_NOW_MS) await pinger.ping();
  }
  const lookQuietly = (): void => void look().catch(() => {});
  const stopWaking = onWake({ wake: lookQuietly, leave: keeper.tabs.close });

  let stream: SessionStream | undefined;
  let loading: Promise<void> | undefined;
  let isClosed = false;
  const follow = async (): Promise<void> => {
    const { SessionStream } = await loadStream();
    const { base } = server;
    const readers = { endingOf, retryAfterOf };
    const deps = { fetch, base, access, keeper, state, isHidden, ...readers, look: lookQuietly };
    if (!isClosed) stream = new SessionStream(deps);
  };
  if (events === 'stream') {
    state.on('signed-in', () => {
      // Loaded at the first sign-in. If loading fails, pings and responses report the end of the session.
      loading ??= follow().catch(() => (loading = undefined));
    });
  }

  const pageUrl = globalThis.location?.href ?? server.base;
  const trusted = [server.base, adminUrl ?? pageUrl, pageUrl, ...(options.origins ?? [])].map(
    (url) => new URL(url).origin,
  );

  return {
    ...createLogins({ keeper, state, server, now, sessionTag: options.sessionTag, starting }),

    /** `fetch` with the access token, which is renewed when necessary. */
    fetch: createAuthorizedFetch({
      fetch,
      access,
      isTrusted: (origin) => trusted.includes(origin),
      base: pageUrl,
      onEnded: lookQuietly,
    }),

    /** Returns an access token that is valid for at least 30 s (or a sixth of its lifetime, if that is less). */
    token: async (): Promise<string> => (await access()).token,

    /** Typed calls of all three APIs. */
    api: createApi(async ({ path, ...call }, more) => {
      await starting;
      const token = state.session() && (await access()).token;
      const base = /^.(admin|events)/.test(path) ? server.admin() : server.base;
      return sendJson(fetch, { ...more, ...call, url: base + path, token });
    }),

    /** Returns the URL of an account page that opens in this session. It is valid for one minute and one use. */
    handover: async (Page?: AccountPage): Promise<string> =>
      (await loadLogins()).handOver(Page, { server, now, access }),

    /** Keeps the session alive while the user is active. Returns a function that stops this. */
    keepAlive(keepAlive: KeepAlive = {}): () => void {
      const started = startKeepAlive(keepAlive, { pinger, now, isHidden });
      alive.add(started);
      return () => {
        alive.delete(started);
        started.stop();
      };
    },

    /** Checks the session; changes are reported by events. */
    ping: pinger.ping,

    on: state.on,
    getState: state.get,
    /** Registers a listener for every change of the state. */
    subscribe: state.subscribe,
    /** Resolves when it is known whether somebody is signed in. */
    ready: starting,

    /** Stops timers and listeners and disconnects from other tabs. The session is not ended. */
    close(): void {
      stopWaking();
      isClosed = true;
      stream?.stop();
      timer.stop();
      for (const one of alive) one.stop();
      alive.clear();
      keeper.tabs.close();
    },
  };
}

export type GatehouseClient = ReturnType<typeof createClient>;

const JUST_NOW_MS = 2000;
const loadStream = () => import('./stream/session-stream.ts');
