import type { ServerCalls } from '../api/server-calls.ts';
import type { CurrentSession } from '../session/state.ts';
import type { GatehouseError } from '../api/gatehouse-error.ts';
import { existsOf } from './session-exists.ts';
import type { Open, SessionExists } from './login.ts';
import type { Place } from './mail-link.ts';

/** Why a sign-on returned no tokens (docs/sso.md). `invalid_attempt` also means that this tab has begun none. */
export type SignOnError =
  | 'access_denied'
  | 'invalid_attempt'
  | 'provider_unavailable'
  | 'too_many_requests'
  | 'provider_error'
  | 'account_exists'
  | 'email_missing'
  | 'email_not_verified'
  | 'domain_not_allowed'
  | 'not_provisioned'
  | 'guest_not_allowed'
  | 'session_exists'
  | 'two_factor_required'
  | 'new_password_required'
  | 'account_disabled'
  | 'account_expired'
  | 'signup_pending'
  | 'migration_pending'
  | 'email_confirmation_pending'
  | 'invitation_pending';

export type SignOnOutcome =
  | { kind: 'signed-in'; session: CurrentSession }
  | SessionExists<SignOnOutcome>
  | { kind: 'refused'; code: SignOnError }
  /** The address contains no result of a sign-on. */
  | { kind: 'none' };

/** The `sessionStorage` key of the sign-on that this tab began: provider, time and, for a code, verifier and state. */
const BEGUN = 'gatehouse-sign-on';
/** The server stores an attempt for the same time. */
const WITHIN_MS = 10 * 60_000;

/**
 * Sends the browser to an identity provider. This tab remembers that it has begun a sign-on, so that a link from
 * elsewhere cannot sign anybody in. The browser returns with a code that is useless to others (PKCE, RFC 7636).
 * Browsers can only hash in secure contexts: without one, the browser returns with tokens.
 */
export async function beginSignOn(
  adminUrl: string,
  provider: string,
  { returnUrl, sessionTag }: { returnUrl?: string; sessionTag: string | undefined },
): Promise<void> {
  const query = new URLSearchParams({
    ...(returnUrl !== undefined && { returnUrl }),
    ...(sessionTag !== undefined && { sessionTag }),
  });
  const kept = [provider, Date.now()];
  if (isSecureContext) {
    const [verifier, state] = [randomText(), randomText()];
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    query.set('codeChallenge', base64url(new Uint8Array(digest)));
    query.set('state', state);
    kept.push(verifier, state);
  }
  sessionStorage.setItem(BEGUN, kept.join(' '));
  const asked = query.toString();
  const loginUrl = `${adminUrl}/auth/${encodeURIComponent(provider)}/login`;
  location.assign(asked ? `${loginUrl}?${asked}` : loginUrl);
}

function readBegun(): string[] {
  const begun = sessionStorage.getItem(BEGUN)?.split(' ') ?? [];
  return Date.now() - Number(begun[1]) < WITHIN_MS ? begun : [];
}

interface Deps {
  server: Pick<ServerCalls, 'atProvider'>;
  now: () => number;
  begin: () => Promise<Open>;
}

/** Opens the session of a sign-on that this tab has begun. */
export async function completeSignOn(place: Place, { server, now, begin }: Deps): Promise<SignOnOutcome> {
  const taken = takeSignOn(place);
  if (taken.kind === 'none' || taken.kind === 'refused') return taken;
  if (taken.kind === 'tokens') {
    const open = await begin();
    return { kind: 'signed-in', session: await open({ ...taken, askedAt: now() }) };
  }
  const { provider, codeVerifier } = taken;
  const exchange = async (code: string): Promise<SignOnOutcome> => {
    const open = await begin();
    try {
      const given = await server.atProvider(provider, 'exchange', { code, codeVerifier });
      return { kind: 'signed-in', session: await open(given) };
    } catch (error) {
      const exists = existsOf(error as GatehouseError, exchange); // the only error of these calls
      if (exists !== undefined) return exists;
      throw error;
    }
  };
  return exchange(taken.code);
}

/** Reads the result of the sign-on from the address, and removes it from there. */
function takeSignOn(
  place: Place,
):
  | { kind: 'tokens'; provider: string; token: string; refreshToken: string }
  | { kind: 'code'; provider: string; code: string; codeVerifier: string }
  | Exclude<SignOnOutcome, { kind: 'signed-in' | 'session-exists' }> {
  const query = new URLSearchParams(place.search);
  const [provider, , codeVerifier, state] = readBegun();
  const [token, refreshToken] = [query.get(`${provider}_token`), query.get(`${provider}_refresh_token`)];
  const [error, code] = [query.get('error'), query.get('code')];
  const isBack = query.get('authCallback') === 'true' || (provider !== undefined && error !== null);
  if (!isBack) return { kind: 'none' };
  sessionStorage.removeItem(BEGUN);
  // A link from elsewhere, with another person's code, does not have this tab's state.
  const isOwn = provider !== undefined && (state === undefined || query.get('state') === state);
  for (const name of [...query.keys()]) {
    if (/^(authCallback|error|code|state|.+_token)$/.test(name)) query.delete(name);
  }
  const rest = query.toString();
  history.replaceState(history.state, '', place.pathname + (rest && `?${rest}`) + place.hash);
  if (isOwn && codeVerifier !== undefined && code !== null)
    return { kind: 'code', provider, code, codeVerifier };
  if (isOwn && codeVerifier === undefined && token !== null && refreshToken !== null) {
    return { kind: 'tokens', provider, token, refreshToken };
  }
  return { kind: 'refused', code: (isOwn ? (error as SignOnError | null) : null) ?? 'invalid_attempt' }; // set by Admin's callback
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
