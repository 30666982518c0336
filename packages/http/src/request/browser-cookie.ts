import type { IncomingMessage } from 'node:http';
import type { BrowserSite, ShownCookie } from '@gatehouse/auth-core';

/**
 * The cookie of a browser session that a request shows in place of a token; it counts where there is no `Authorization`
 * header. Cookies know no ports, so that on one machine those of two sites come together: the request's own site is told by
 * its host then.
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
  return shown.find(({ site }) => site.host === host) ?? shown[0];
}

/**
 * The value of the cookie with this name (RFC 6265 §5.4). One that is named twice has been set by two, of whom one may be
 * somebody else: it has the value of none.
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
