import { browserCookie, type BrowserSession, type BrowserSite } from '@gatehouse/auth-core';
import type { AccountsDeps } from '../deps.ts';

/**
 * The `Set-Cookie` that gives a browser this session; with `isKept`, the cookie remains after the browser is closed.
 */
export function sessionCookie(
  { browser, settings }: Pick<AccountsDeps, 'browser' | 'settings'>,
  site: BrowserSite,
  session: BrowserSession,
  { isKept = false }: { isKept?: boolean | undefined } = {},
): string {
  const value = browser.sessions.issue(site.purpose, session);
  return browserCookie(site, value, isKept ? settings.SESSION_MAX_SECONDS : undefined);
}
