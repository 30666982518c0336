import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a browser's session is for: the account pages, or the console. */
export type BrowserPurpose = 'pages' | 'console';

export interface BrowserSession {
  accountId: string;
  sessionId: string;
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

/**
 * The values of browser sessions’ cookies: `1.<purpose>.<account id>.<session id>.<mac>`, the MAC being HMAC-SHA-256
 * over all before it, with a key for each purpose. Nothing is stored: a cookie names a session and is valid as long
 * as that is (docs/browser-sessions.md).
 */
export function createBrowserSessions(keys: Readonly<Record<BrowserPurpose, Buffer | undefined>>) {
  const macOf = (key: Buffer, text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url');

  return {
    /** The value of a session's cookie, always the same one. */
    issue(purpose: BrowserPurpose, { accountId, sessionId }: BrowserSession): string {
      const key = keys[purpose];
      if (key === undefined) throw new Error(`there is no key for browser sessions of the ${purpose}`);
      const text = `${VERSION}.${purpose}.${accountId}.${sessionId}`;
      if (!FORM.test(text)) throw new TypeError('an account id or session id is no UUID');
      return `${text}.${macOf(key, text)}`;
    },

    /** The session of a genuine value of this purpose, `undefined` for anything else. */
    read(purpose: BrowserPurpose, value: string): BrowserSession | undefined {
      const key = keys[purpose];
      if (key === undefined || value.length > VALUE_MAX) return undefined;
      const end = value.lastIndexOf('.');
      const text = value.slice(0, Math.max(end, 0));
      const [, found, accountId, sessionId] = FORM.exec(text) ?? [];
      if (found !== purpose || accountId === undefined || sessionId === undefined) return undefined;
      // Compared as text, since a MAC has one spelling here.
      const given = Buffer.from(value.slice(end + 1));
      const expected = Buffer.from(macOf(key, text));
      const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
      return isGenuine ? { accountId, sessionId } : undefined;
    },
  };
}

const VERSION = 1;
/** Version, purpose, two UUIDs and a MAC come to 128 characters at most. */
const VALUE_MAX = 128;
/** Everything but the MAC. Each part is a fixed word or has a fixed length, so that matching never backtracks. */
const FORM =
  /^1\.(pages|console)\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
