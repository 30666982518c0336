import { clearedBrowserCookie, type BrowserSite } from '@gatehouse/auth-core';
import type { Headers } from './headers.ts';

/** What the documents say about `signedOutHeaders` of a session that may have no cookie. */
export const SIGNED_OUT_HEADERS = {
  'Set-Cookie': 'Removes the session cookie, if the request was made with one',
  'Clear-Site-Data': 'Clears what the browser has cached, in the same case',
};

/**
 * The headers of the response after which a browser is signed out: they remove its cookie and what it has cached. The
 * origin's storage stays, which holds preferences alone, as do the cookies of others on the same domain.
 */
export function signedOutHeaders(site: BrowserSite): Headers {
  return { 'Set-Cookie': clearedBrowserCookie(site), 'Clear-Site-Data': '"cache"' };
}
