import type { Auth, BrowserSite, Caller } from '@gatehouse/auth-core';
import { SESSION_REFUSALS } from '../errors.ts';
import { refusedCaller, type Refuse } from '../refusals.ts';
import { browserCookieOf, refuseCrossSite } from './browser-cookie.ts';
import type { RequestFacts } from './request-facts.ts';

export const VISITOR_ERRORS = [
  'cross_site',
  'token_missing',
  'token_invalid',
  'token_expired',
  ...SESSION_REFUSALS,
] as const;

interface VisitorDeps {
  browser: { sites: readonly BrowserSite[] };
  authenticate: Auth['authenticate'];
}

/** Who is signed in to this browser. No cookie is no error, as pages ask before they know; an ended session is one. */
export async function findVisitor(
  { browser, authenticate }: VisitorDeps,
  purpose: BrowserSite['purpose'],
  request: RequestFacts,
  refuse: Refuse<(typeof VISITOR_ERRORS)[number]>,
): Promise<Extract<Caller, { kind: 'session' }> | undefined> {
  const sites = browser.sites.filter((site) => site.purpose === purpose);
  const cookie = browserCookieOf(request, sites);
  if (cookie === undefined) return undefined;
  refuseCrossSite(request, cookie.site);
  const caller = await authenticate(undefined, cookie, request.address);
  if (caller.kind === 'refused') throw refusedCaller(refuse, caller);
  return caller.kind === 'session' ? caller : undefined;
}
