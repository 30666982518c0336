import { isIP } from 'node:net';
import type { BrowserPurpose } from './browser-session.ts';

/** The site on which browsers use cookies of one purpose. */
export interface BrowserSite {
  purpose: BrowserPurpose;
  /** The one origin whose pages may send them. */
  origin: string;
  /** Host and port, as a request to it names them. */
  host: string;
  cookieName: string;
  isSecure: boolean;
}

/**
 * The site of an address. Over https its cookie has the prefix `__Host-`, so that neither a sibling domain nor a page
 * without TLS can set it (RFC 6265bis §4.1.3.2). Over http it works on this machine only; `undefined` for http
 * elsewhere, as no cookie may cross a network unencrypted.
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
 * Whether an origin is another name of this machine for the site, as `http://localhost:8090` is of `http://127.0.0.1:8090`. It
 * is an origin of its own to browsers, which keep cookies of its own for it.
 */
export function isAnotherName(
  { isSecure, origin: own }: Pick<BrowserSite, 'isSecure' | 'origin'>,
  origin: string,
): boolean {
  if (isSecure || !URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  return protocol === 'http:' && isLoopback(hostname) && port === new URL(own).port;
}

/** By the rules of browsers (Secure Contexts §3.1); `URL` has normalised addresses. */
function isLoopback(hostname: string): boolean {
  if (isIP(hostname) === 4) return hostname.startsWith('127.');
  return hostname === '[::1]' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** The `Set-Cookie` of a session; without `maxAgeSeconds` the browser forgets it when it is closed. */
export function browserCookie(site: BrowserSite, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = site.isSecure ? '; Secure' : '';
  return `${site.cookieName}=${value}; Path=/${age}; HttpOnly; SameSite=Strict${secure}`;
}

/** The `Set-Cookie` that makes the browser forget it. */
export function clearedBrowserCookie(site: BrowserSite): string {
  return browserCookie(site, '', 0);
}
