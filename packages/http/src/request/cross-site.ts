import type { IncomingMessage } from 'node:http';
import { isAnotherName, type BrowserSite } from '@gatehouse/auth-core';
import { ApiError } from '../errors.ts';

type Head = Pick<IncomingMessage, 'headers'>;

/**
 * Refuses a request with a cookie that was not made by a page of the cookie’s own origin. Another subdomain is
 * `same-site` and may be an attacker’s. A browser without `Sec-Fetch-Site` (Fetch Metadata §2.3) sends `Origin` with
 * every method but GET; a GET with neither is refused. On this machine a site has several names, and a page asks the one that it
 * came from.
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
 * The site that gives browsers cookies of this purpose.
 *
 * @throws {ApiError} 400 where there is none, or it has no TLS.
 */
export function browserSiteFor(sites: readonly BrowserSite[], purpose: BrowserSite['purpose']): BrowserSite {
  const found = sites.find((site) => site.purpose === purpose);
  if (found !== undefined) return found;
  throw new ApiError('invalid_request', 'Cookies are available only if the address of the pages is https');
}

/**
 * The same for a request that would give its browser a cookie. A page of another origin is refused: it could sign the
 * user in to an account of its own choice. A client that sends neither header is no browser: a POST carries `Origin`
 * (Fetch §3.2).
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
