import type { IncomingMessage } from 'node:http';
import type { BrowserSite } from '@gatehouse/auth-core';
import { ApiError } from '../errors.ts';

type Head = Pick<IncomingMessage, 'headers'>;

/**
 * Refuses a request that carries a cookie and was not made by a page of the cookie's own origin. Another subdomain is
 * `same-site` and may be an attacker's. A browser that does not send `Sec-Fetch-Site` (Fetch Metadata §2.3) sends
 * `Origin` with all but GET; a GET without either is refused.
 *
 * @throws {ApiError} 403 `cross_site`.
 */
export function refuseCrossSite({ headers }: Head, { origin }: Pick<BrowserSite, 'origin'>): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined ? headers.origin === origin : site === 'same-origin') return;
  throw new ApiError('cross_site', 'A cookie counts in requests from pages of its own origin only');
}

/**
 * Refuses a request that would give its browser a cookie and was made by another origin's page, which could sign the
 * browser's user in to an account of its own choice. Whoever sends neither header is no browser: a POST carries `Origin`
 * (Fetch §3.2).
 *
 * @throws {ApiError} 403 `cross_site`.
 */
export function refuseCrossSiteLogin(message: Head, site: Pick<BrowserSite, 'origin'>): void {
  const { origin, 'sec-fetch-site': fetchSite } = message.headers;
  if (origin !== undefined || fetchSite !== undefined) refuseCrossSite(message, site);
}
