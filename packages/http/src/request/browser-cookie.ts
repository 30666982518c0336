import type { IncomingMessage } from 'node:http';
import { isAnotherName, clearedBrowserCookie } from '@gatehouse/auth-core';
import type { BrowserSite, ShownCookie } from '@gatehouse/auth-core';
import { ApiError } from '../errors.ts';
import type { Headers } from './headers.ts';

/**
 * The session's cookie, which counts only without an `Authorization` header. Cookies ignore ports, so a browser may send
 * those of two sites on one host: the `Host` header says which is meant.
 */
export function browserCookieOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  sites: readonly BrowserSite[],
): (ShownCookie & { site: BrowserSite }) | undefined {
  const { authorization, cookie, host } = headers;
  if (authorization !== undefined || cookie === undefined) return undefined;
  const shown = sites.flatMap((site) => {
    const value = cookieValue(cookie, site.cookieName);
    return value === undefined ? [] : [{ site, purpose: site.purpose, value }];
  });
  const asNamed = shown.find(({ site }) => site.host === host);
  return asNamed ?? shown.find(({ site }) => isAnotherName(site, `http://${host}`)) ?? shown[0];
}

/** RFC 6265 §5.4. A name that occurs twice was set by two parties, maybe one an attacker: neither value counts. */
function cookieValue(header: string, name: string): string | undefined {
  let found: string | undefined;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at === -1 || pair.slice(0, at).trim() !== name) continue;
    if (found !== undefined) return '';
    found = pair.slice(at + 1).trim();
  }
  return found;
}

type Head = Pick<IncomingMessage, 'headers'>;

/**
 * Refuses a request with a cookie unless a page of the cookie’s own origin sent it. Another subdomain is `same-site`
 * and may belong to an attacker. A browser without `Sec-Fetch-Site` (Fetch Metadata §2.3) sends `Origin` with every
 * method except GET; a GET with neither header is refused. On the local machine a site has several names, and a page
 * calls the one that it was loaded from.
 *
 * @throws {ApiError} 403 `cross_site`.
 */
export function refuseCrossSite({ headers }: Head, own: Pick<BrowserSite, 'origin' | 'isSecure'>): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site === 'same-origin') return;
  if (site === undefined && origin !== undefined) {
    if (origin === own.origin) return;
    if (origin === `http://${host}` && isAnotherName(own, origin)) return;
  }
  throw new ApiError('cross_site', 'A cookie counts in requests from pages of its own origin only');
}

/** The site that issues browser cookies of this purpose. @throws {ApiError} 400 if there is none, or it has no TLS. */
export function browserSiteFor(sites: readonly BrowserSite[], purpose: BrowserSite['purpose']): BrowserSite {
  const found = sites.find((site) => site.purpose === purpose);
  if (found !== undefined) return found;
  throw new ApiError('invalid_request', 'Cookies are available only if the address of the pages is https');
}

/**
 * The same for a request whose response would set a cookie. A page of another origin is refused: it could sign the
 * user in to the attacker's account. A client that sends neither header is not a browser, as browsers send `Origin`
 * with every POST (Fetch §3.2).
 *
 * @throws {ApiError} 400, and 403 `cross_site`.
 */
export function browserSiteForLogin(
  sites: readonly BrowserSite[],
  purpose: BrowserSite['purpose'],
  message: Head,
): BrowserSite {
  const site = browserSiteFor(sites, purpose);
  const { origin, 'sec-fetch-site': fetchSite } = message.headers;
  if (origin !== undefined || fetchSite !== undefined) refuseCrossSite(message, site);
  return site;
}

/** What the documents say about `signedOutHeaders` of a session that may have no cookie. */
export const SIGNED_OUT_HEADERS = {
  'Set-Cookie': 'Removes the session cookie, if the request was made with one',
  'Clear-Site-Data': 'Clears what the browser has cached, in the same case',
};

/** Removes the cookie and the cache. The origin's storage stays (preferences alone), as do other sites' cookies. */
export function signedOutHeaders(site: BrowserSite): Headers {
  return { 'Set-Cookie': clearedBrowserCookie(site), 'Clear-Site-Data': '"cache"' };
}
