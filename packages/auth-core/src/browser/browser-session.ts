import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';

export type BrowserPurpose = 'pages' | 'console';

export interface BrowserSession {
  accountId: string;
  sessionId: string;
  /** When the cookie expires, if before its session; epoch seconds. */
  endsAt?: number | undefined;
  /** Whether the browser took the session over from an app, instead of logging in. */
  isHandedOver?: boolean | undefined;
  /** Tells a cookie that was handed over from all others of its session. A login gives a session one cookie. */
  cookieId?: string | undefined;
}

/**
 * The keys of the MACs of each cookie, in the order of the MACs; `undefined`: a key that this service does not have.
 * Whoever has all keys of a purpose issues its cookies; whoever has some of them only checks those MACs.
 */
export type BrowserKeys = Readonly<
  Record<BrowserPurpose, readonly [Buffer | undefined, ...(Buffer | undefined)[]]>
>;

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

/**
 * The cookie values of browser sessions: `2.<purpose>.<account id>.<session id>` with an optional expiry and an optional
 * mark of a hand-over with a random id, followed by a MAC for each key of the purpose. Each MAC is HMAC-SHA-256 over everything before it,
 * so that a value has one valid spelling for everybody who has the last key. Nothing is stored: a cookie names a session and
 * is valid as long as that session, or until its expiry (docs/browser-sessions.md).
 */
export function createBrowserSessions(
  keys: BrowserKeys,
  { now = Date.now }: { now?: (() => number) | undefined } = {},
) {
  return {
    /** The cookie value of a session: for a login always the same, for a hand-over another one each time. */
    issue(
      purpose: BrowserPurpose,
      { accountId, sessionId, endsAt, isHandedOver = false }: Omit<BrowserSession, 'cookieId'>,
    ): string {
      const end = endsAt === undefined ? '' : `.${endsAt}`;
      const mark = isHandedOver ? `.handed-over-${randomBytes(16).toString('base64url')}` : '';
      let value = `2.${purpose}.${accountId}.${sessionId}${end}${mark}`;
      for (const key of keys[purpose]) {
        if (key === undefined) throw new Error(`a key for browser sessions of the ${purpose} is missing`);
        value += `.${macOf(key, value)}`;
      }
      if (!FORM.test(value)) throw new TypeError('an ID is not a UUID, or the expiry is invalid');
      return value;
    },

    read(purpose: BrowserPurpose, value: string): BrowserSession | undefined {
      if (value.length > VALUE_MAX) return undefined;
      const [, text = '', found, accountId, sessionId, end, mark, cookieId] = FORM.exec(value) ?? [];
      if (found !== purpose || accountId === undefined || sessionId === undefined) return undefined;
      if (!areGenuine(keys[purpose], text, value)) return undefined;
      const handOver = mark !== undefined && {
        isHandedOver: true,
        ...(cookieId !== undefined && { cookieId }),
      };
      const session = { accountId, sessionId, ...handOver };
      if (end === undefined) return session;
      const endsAt = Number(end);
      return endsAt * 1000 > now() ? { ...session, endsAt } : undefined;
    },
  };
}

/** Whether all MACs after the text are right for which this service has the key, at least one. */
function areGenuine(keys: BrowserKeys[BrowserPurpose], text: string, value: string): boolean {
  if (value.length !== text.length + keys.length * MAC_PART || keys.every((key) => key === undefined))
    return false;
  return keys.every((key, at) => {
    if (key === undefined) return true;
    const begins = text.length + at * MAC_PART;
    // Compared as text, so that a MAC has exactly one valid spelling.
    const given = Buffer.from(value.slice(begins + 1, begins + MAC_PART));
    return timingSafeEqual(given, Buffer.from(macOf(key, value.slice(0, begins))));
  });
}

function macOf(key: Buffer, text: string): string {
  // With a Buffer as its key, Node 24 takes four times as long.
  return createHmac('sha256', createSecretKey(key)).update(text).digest('base64url');
}

/** A full stop and a MAC. */
const MAC_PART = 44;

/** Version, purpose, two UUIDs, an expiry, the mark and two MACs have at most 215 characters. */
const VALUE_MAX = 215;

/** Each part is a fixed word or has a fixed length: no backtracking. Version 1.0.0 marked hand-overs without an id. */
const FORM =
  /^(2\.(pages|console)\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\.([1-9][0-9]{9}))?(\.handed-over(?:-([A-Za-z0-9_-]{22}))?)?)(?:\.[A-Za-z0-9_-]{43}){1,2}$/;

export interface BrowserSite {
  purpose: BrowserPurpose;
  /** The only origin whose pages may send the cookies. */
  origin: string;
  /** Host and port, as in the `Host` header of its requests. */
  host: string;
  cookieName: string;
  isSecure: boolean;
}

/**
 * The site at an address. Over https its cookie has the prefix `__Host-`, so that neither a sibling domain nor a page
 * without TLS can set it (RFC 6265bis §4.1.3.2). Http is allowed on the local machine only; elsewhere the result is
 * `undefined`, as no cookie may cross a network unencrypted.
 */
export function browserSiteOf(purpose: BrowserPurpose, url: string): BrowserSite | undefined {
  const { protocol, origin, host, hostname } = new URL(url);
  const isSecure = protocol === 'https:';
  if (!isSecure && !(protocol === 'http:' && isLoopback(hostname))) return undefined;
  const names = isSecure ? SECURE_NAMES : LOOPBACK_NAMES;
  return { purpose, origin, host, cookieName: names[purpose], isSecure };
}

const SECURE_NAMES = { pages: '__Host-gatehouse', console: '__Host-gatehouse-console' } as const;
const LOOPBACK_NAMES = { pages: 'gatehouse-pages', console: 'gatehouse-console' } as const;

/** Whether an origin names this machine otherwise: to browsers `localhost` is another origin than `127.0.0.1`. */
export function isAnotherName(
  { isSecure, origin: own }: Pick<BrowserSite, 'isSecure' | 'origin'>,
  origin: string,
): boolean {
  if (isSecure || !URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  return protocol === 'http:' && isLoopback(hostname) && port === new URL(own).port;
}

/** The rules of browsers (Secure Contexts §3.1); `URL` has already normalized addresses. */
function isLoopback(hostname: string): boolean {
  if (isIP(hostname) === 4) return hostname.startsWith('127.');
  return hostname === '[::1]' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** The `Set-Cookie` header of a session; without `maxAgeSeconds` the cookie is deleted when the browser is closed. */
export function browserCookie(site: BrowserSite, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = site.isSecure ? '; Secure' : '';
  return `${site.cookieName}=${value}; Path=/${age}; HttpOnly; SameSite=Strict${secure}`;
}

export function clearedBrowserCookie(site: BrowserSite): string {
  return browserCookie(site, '', 0);
}
