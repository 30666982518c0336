import { createHmac, timingSafeEqual } from 'node:crypto';

/** The purpose of a browser session: the account pages, or the console. */
export type BrowserPurpose = 'pages' | 'console';

export interface BrowserSession {
  accountId: string;
  sessionId: string;
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

/**
 * The cookie values of browser sessions: `1.<purpose>.<account id>.<session id>.<mac>`. The MAC is HMAC-SHA-256 over
 * everything before it, with a separate key for each purpose. Nothing is stored: a cookie names a session and is valid
 * as long as that session (docs/browser-sessions.md).
 */
export function createBrowserSessions(keys: Readonly<Record<BrowserPurpose, Buffer | undefined>>) {
  const macOf = (key: Buffer, text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url');

  return {
    /** The cookie value of a session; deterministic. */
    issue(purpose: BrowserPurpose, { accountId, sessionId }: BrowserSession): string {
      const key = keys[purpose];
      if (key === undefined) throw new Error(`there is no key for browser sessions of the ${purpose}`);
      const text = `${VERSION}.${purpose}.${accountId}.${sessionId}`;
      if (!FORM.test(text)) throw new TypeError('an account id or session id is no UUID');
      return `${text}.${macOf(key, text)}`;
    },

    /** The session of a valid cookie value of this purpose, otherwise `undefined`. */
    read(purpose: BrowserPurpose, value: string): BrowserSession | undefined {
      const key = keys[purpose];
      if (key === undefined || value.length > VALUE_MAX) return undefined;
      const end = value.lastIndexOf('.');
      const text = value.slice(0, Math.max(end, 0));
      const [, found, accountId, sessionId] = FORM.exec(text) ?? [];
      if (found !== purpose || accountId === undefined || sessionId === undefined) return undefined;
      // Compared as text, so that a MAC has exactly one valid spelling.
      const given = Buffer.from(value.slice(end + 1));
      const expected = Buffer.from(macOf(key, text));
      const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
      return isGenuine ? { accountId, sessionId } : undefined;
    },
  };
}

const VERSION = 1;
/** Version, purpose, two UUIDs and a MAC have at most 128 characters. */
const VALUE_MAX = 128;
/** Everything but the MAC. Each part is a fixed word or has a fixed length, so that matching never backtracks. */
const FORM =
  /^1\.(pages|console)\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
