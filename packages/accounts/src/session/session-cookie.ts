import {
  browserCookie,
  type BrowserPurpose,
  type BrowserSession,
  type BrowserSite,
} from '@gatehouse/auth-core';
import type { AccountsDeps } from '../deps.ts';

/** The site whose browsers get cookies of this purpose; `undefined` where there is none, or it is without TLS. */
export function siteFor(
  { browser }: Pick<AccountsDeps, 'browser'>,
  purpose: BrowserPurpose,
): BrowserSite | undefined {
  return browser.sites.find((site) => site.purpose === purpose);
}

/** The `Set-Cookie` that gives a browser this session; `isKept`: for longer than until it is closed. */
export function sessionCookie(
  { browser, settings }: Pick<AccountsDeps, 'browser' | 'settings'>,
  site: BrowserSite,
  session: BrowserSession,
  { isKept = false }: { isKept?: boolean | undefined } = {},
): string {
  const value = browser.sessions.issue(site.purpose, session);
  return browserCookie(site, value, isKept ? settings.SESSION_MAX_SECONDS : undefined);
}
