import type { LoginResponse } from '../api/api-types.ts';
import type { GatehouseError, ownError } from '../api/gatehouse-error.ts';
import type { ServerCalls } from '../api/server-calls.ts';
import type { LoginOutcome, Open, Refused, SessionExists } from './login.ts';
import type { CurrentSession } from '../session/state.ts';
import type { Place } from './mail-link.ts';
import type { Access } from '../session/access-token.ts';

interface LoginDeps {
  server: Pick<ServerCalls, 'core'>;
  now: () => number;
  sessionTag: string | undefined;
  ownError: typeof ownError;
  open: Open;
  /** Begins another login. */
  logIn: (body: object) => Promise<LoginOutcome>;
}

/** Sends one step of a login, and opens the session if the response contains tokens. */
export async function sendLogin(body: object, deps: LoginDeps): Promise<LoginOutcome> {
  const { server, now, sessionTag, ownError, open, logIn } = deps;
  const askedAt = now();
  const tagged = sessionTag === undefined ? body : { ...body, SessionTag: sessionTag };
  let answer: LoginResponse;
  try {
    answer = (await server.core('/account/login', tagged)) as LoginResponse; // as documented
  } catch (error) {
    const failure = error as GatehouseError; // the only error of these calls
    return existsOf(failure, (token) => logIn({ TakeOverToken: token })) ?? refusalOf(failure);
  }
  const next = nextStepOf(answer);
  if (next !== undefined) return next;
  // The API returns a cookie instead of tokens only if the request asks for one.
  if (!('Token' in answer)) throw ownError('unexpected');
  const { Token: token, RefreshToken: refreshToken } = answer;
  const codes = 'RecoveryCodes' in answer ? { recoveryCodes: answer.RecoveryCodes } : {};
  return { kind: 'signed-in', session: await open({ token, refreshToken, askedAt }), ...codes };
}

/** Converts an error to an outcome. Rethrows errors that are none: no response, or an invalid request. */
function refusalOf(error: GatehouseError): Refused {
  const { code, loginStatus, retryAfterSeconds } = error;
  if (loginStatus !== undefined || code === 'authentication_failed' || code === 'too_many_requests') {
    return { kind: 'refused', code, loginStatus, retryAfterSeconds } as Refused; // the API has no other combinations
  }
  throw error;
}

/** The next step of the login, if the response does not contain tokens. */
function nextStepOf(answer: LoginResponse): LoginOutcome | undefined {
  if (!('TwoFactorToken' in answer)) return undefined;
  const { TwoFactorToken: token } = answer;
  if ('TwoFactorSetup' in answer) {
    return { kind: 'set-up-second-factor', token, setup: answer.TwoFactorSetup };
  }
  const { SecondFactors: methods, PasskeyOptions: passkeyOptions } = answer;
  return { kind: 'second-factor', token, methods, passkeyOptions };
}

/** Converts the error of a login that found every session in use; `undefined` for any other error. */
function existsOf<Outcome>(
  { body: { TakeOverToken: token, Active: active = [] } = {} }: GatehouseError,
  takeOver: (token: string) => Promise<Outcome>,
): SessionExists<Outcome> | undefined {
  return token === undefined
    ? undefined
    : { kind: 'session-exists', active, takeOver: () => takeOver(token) };
}

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

/** Opens the session of a sign-on that this tab has begun. */
export async function completeSignOn(
  place: Place,
  deps: { server: Pick<ServerCalls, 'atProvider'>; now: () => number; begin: () => Promise<Open> },
): Promise<SignOnOutcome> {
  const { server, now, begin } = deps;
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

/** The account pages that a session can be handed over to. */
export type AccountPage = 'profile' | 'security' | 'sessions';

/** Returns the URL of an account page that opens in this session. */
export async function handOver(
  Page: AccountPage | undefined,
  deps: {
    server: Pick<ServerCalls, 'core'>;
    now: () => number;
    /** Returns a valid token other than the given one. */
    access: (refused?: Access) => Promise<Access>;
  },
): Promise<string> {
  const { server, now, access } = deps;
  const held = await access();
  // The account page is signed in only until this token expires, so an old token is renewed first.
  const isOld = held.expiresAt - now() < held.lifetimeMs / 2;
  const { token } = isOld ? await access(held) : held;
  const answer = await server.core('/account/handover', { Page }, { token });
  return (answer as { Url: string }).Url; // as documented
}
