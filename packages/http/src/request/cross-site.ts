import type { IncomingMessage } from 'node:http';
import { isAnotherName, type BrowserSite } from '@gatehouse/auth-core';
import { ApiError } from '../errors.ts';

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

/**
 * The site that issues browser cookies of this purpose.
 *
 * @throws {ApiError} 400 if there is none, or it has no TLS.
 */
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
