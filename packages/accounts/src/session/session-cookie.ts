import { browserCookie, type BrowserSession, type BrowserSite } from '@gatehouse/auth-core';
import type { AccountsDeps } from '../deps.ts';

/**
 * The `Set-Cookie` that gives a browser this session, until its expiry; with `isKept`, the cookie remains after the browser is
 * closed.
 */
export function sessionCookie(
  { browser, settings, now }: Pick<AccountsDeps, 'browser' | 'settings' | 'now'>,
  site: BrowserSite,
  session: BrowserSession,
  { isKept = false }: { isKept?: boolean | undefined } = {},
): string {
  const value = browser.sessions.issue(site.purpose, session);
  if (!isKept) return browserCookie(site, value);
  const leftSeconds = session.endsAt === undefined ? Infinity : session.endsAt - Math.floor(now() / 1000);
  return browserCookie(site, value, Math.min(settings.SESSION_MAX_SECONDS, Math.max(0, leftSeconds)));
}
