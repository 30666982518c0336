import type { IncomingMessage } from 'node:http';
import { isAnotherName, type BrowserSite, type ShownCookie } from '@gatehouse/auth-core';

/**
 * The browser session’s cookie, which is used only without an `Authorization` header. Cookies ignore ports, so on one
 * machine the cookies of two sites are sent together; the host then tells which site the request is for.
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

/**
 * The value of the cookie with this name (RFC 6265 §5.4). A name that occurs twice was set by two parties, one of
 * whom may be an attacker: neither value counts.
 */
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
