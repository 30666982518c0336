import { createHmac, timingSafeEqual } from 'node:crypto';

/** The purpose of a browser session: the account pages, or the console. */
export type BrowserPurpose = 'pages' | 'console';

export interface BrowserSession {
  accountId: string;
  sessionId: string;
  /** When the cookie expires, if before its session; epoch seconds. */
  endsAt?: number | undefined;
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

/**
 * The cookie values of browser sessions: `1.<purpose>.<account id>.<session id>.<mac>`, with an optional expiry before the
 * MAC. The MAC is HMAC-SHA-256 over everything before it, with a separate key for each purpose. Nothing is stored: a cookie
 * names a session and is valid as long as that session, or until its expiry (docs/browser-sessions.md).
 */
export function createBrowserSessions(
  keys: Readonly<Record<BrowserPurpose, Buffer | undefined>>,
  { now = Date.now }: { now?: (() => number) | undefined } = {},
) {
  const macOf = (key: Buffer, text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url');

  return {
    /** The cookie value of a session; deterministic. */
    issue(purpose: BrowserPurpose, { accountId, sessionId, endsAt }: BrowserSession): string {
      const key = keys[purpose];
      if (key === undefined) throw new Error(`there is no key for browser sessions of the ${purpose}`);
      const end = endsAt === undefined ? '' : `.${endsAt}`;
      const text = `${VERSION}.${purpose}.${accountId}.${sessionId}${end}`;
      if (!FORM.test(text)) throw new TypeError('an ID is not a UUID, or the expiry is invalid');
      return `${text}.${macOf(key, text)}`;
    },

    /** The session of a valid, unexpired cookie value of this purpose, otherwise `undefined`. */
    read(purpose: BrowserPurpose, value: string): BrowserSession | undefined {
      const key = keys[purpose];
      if (key === undefined || value.length > VALUE_MAX) return undefined;
      const macAt = value.lastIndexOf('.');
      const text = value.slice(0, Math.max(macAt, 0));
      const [, found, accountId, sessionId, end] = FORM.exec(text) ?? [];
      if (found !== purpose || accountId === undefined || sessionId === undefined) return undefined;
      // Compared as text, so that a MAC has exactly one valid spelling.
      const given = Buffer.from(value.slice(macAt + 1));
      const expected = Buffer.from(macOf(key, text));
      const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
      if (!isGenuine) return undefined;
      if (end === undefined) return { accountId, sessionId };
      const endsAt = Number(end);
      return endsAt * 1000 > now() ? { accountId, sessionId, endsAt } : undefined;
    },
  };
}

const VERSION = 1;
/** Version, purpose, two UUIDs, an expiry and a MAC have at most 138 characters. */
const VALUE_MAX = 138;
/** Everything but the MAC. Each part is a fixed word or has a fixed length, so that matching never backtracks. */
const FORM =
  /^1\.(pages|console)\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\.([1-9][0-9]{9}))?$/;
