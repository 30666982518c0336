import { isIP } from 'node:net';
import type { BrowserPurpose } from './browser-session.ts';

/** The site where browsers use cookies of one purpose. */
export interface BrowserSite {
  purpose: BrowserPurpose;
  /** The only origin whose pages may send the cookies. */
  origin: string;
  /** Host and port, as in the `Host` header of its requests. */
  host: string;
  cookieName: string;
  isSecure: boolean;
}

/**
 * The site at an address. Over https its cookie has the prefix `__Host-`, so that neither a sibling domain nor a page
 * without TLS can set it (RFC 6265bis §4.1.3.2). Http is allowed on the local machine only; elsewhere the result is
 * `undefined`, as no cookie may cross a network unencrypted.
 */
export function browserSiteOf(purpose: BrowserPurpose, url: string): BrowserSite | undefined {
  const { protocol, origin, host, hostname } = new URL(url);
  const isSecure = protocol === 'https:';
  if (!isSecure && !(protocol === 'http:' && isLoopback(hostname))) return undefined;
  const names = isSecure ? SECURE_NAMES : LOOPBACK_NAMES;
  return { purpose, origin, host, cookieName: names[purpose], isSecure };
}

const SECURE_NAMES = { pages: '__Host-gatehouse', console: '__Host-gatehouse-console' } as const;
const LOOPBACK_NAMES = { pages: 'gatehouse-pages', console: 'gatehouse-console' } as const;

/**
 * Whether an origin is another name of this machine for the same site, such as `http://localhost:8090` for
 * `http://127.0.0.1:8090`. Browsers treat it as a separate origin with separate cookies.
 */
export function isAnotherName(
  { isSecure, origin: own }: Pick<BrowserSite, 'isSecure' | 'origin'>,
  origin: string,
): boolean {
  if (isSecure || !URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  return protocol === 'http:' && isLoopback(hostname) && port === new URL(own).port;
}

/** The rules of browsers (Secure Contexts §3.1); `URL` has already normalized addresses. */
function isLoopback(hostname: string): boolean {
  if (isIP(hostname) === 4) return hostname.startsWith('127.');
  return hostname === '[::1]' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** The `Set-Cookie` header of a session; without `maxAgeSeconds` the cookie is deleted when the browser is closed. */
export function browserCookie(site: BrowserSite, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = site.isSecure ? '; Secure' : '';
  return `${site.cookieName}=${value}; Path=/${age}; HttpOnly; SameSite=Strict${secure}`;
}

export function clearedBrowserCookie(site: BrowserSite): string {
  return browserCookie(site, '', 0);
}
