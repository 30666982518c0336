import type { OAuthClient } from '@gatehouse/db';
import type { FoundClient } from './agents/find-agent.ts';

/** A valid authorization request (OpenID Connect Core §3.1.2.1), in our names. */
export interface AuthorizationRequest extends ReturnAddress, FoundClient {
  scopes: string[];
  codeChallenge: string | undefined;
  nonce: string | undefined;
  resource: string | undefined;
  prompts: ReadonlySet<string>;
  maxAgeSeconds: number | undefined;
  loginHint: string | undefined;
  idTokenHint: string | undefined;
}

export interface ReturnAddress {
  redirectUri: string;
  state: string | undefined;
  /** By a form that the browser posts, instead of the query (OAuth 2.0 Form Post Response Mode 1.0). */
  isPosted: boolean;
}

/** Why the user is not sent back to the client: it is unknown, or the address is not its own. */
export type AddressRefusal =
  'invalid_request' | 'unknown_client' | 'redirect_uri_missing' | 'redirect_uri_mismatch';

/** The errors that a client gets (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6, RFC 8707 §2). */
export type AuthorizationError =
  | 'access_denied'
  | 'consent_required'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'login_required'
  | 'registration_not_supported'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'unauthorized_client'
  | 'unsupported_response_type';

type Fault = { error: AuthorizationError; description?: string };

export type ReadRequest =
  | { kind: 'request'; request: AuthorizationRequest }
  | { kind: 'refused'; code: AddressRefusal }
  | ({ kind: 'error' } & ReturnAddress & Fault);

/**
 * Reads the query string of an authorization request. Client and redirect URI come first: without both, nobody is
 * redirected anywhere (RFC 9700 §4.11). Parameters that are not known are ignored (RFC 6749 §3.1).
 */
export async function readAuthorizationRequest(
  query: string,
  find: (clientId: string) => Promise<FoundClient | undefined>,
): Promise<ReadRequest> {
  const parameters = readParameters(query);
  if (parameters === undefined) return { kind: 'refused', code: 'invalid_request' };
  const { values, repeated } = parameters;
  if (repeated.has('client_id') || repeated.has('redirect_uri'))
    return { kind: 'refused', code: 'invalid_request' };
  const [clientId, redirectUri] = [values.get('client_id'), values.get('redirect_uri')];
  const found = clientId === undefined ? undefined : await find(clientId);
  if (found === undefined) return { kind: 'refused', code: 'unknown_client' };
  const { client } = found;
  if (redirectUri === undefined) return { kind: 'refused', code: 'redirect_uri_missing' };
  if (!isRegisteredRedirect(client, redirectUri)) return { kind: 'refused', code: 'redirect_uri_mismatch' };

  const address = {
    redirectUri,
    state: repeated.has('state') ? undefined : values.get('state'),
    isPosted: values.get('response_mode') === 'form_post' && isWebAddress(redirectUri),
  };
  const fault = faultOf(parameters, client);
  if (fault !== undefined) return { kind: 'error', ...address, ...fault };
  const scopes = scopesOfSignIn(values.get('scope'), client);
  if (scopes === undefined) return { kind: 'error', ...address, error: 'invalid_scope' };
  const challenge = challengeFault(values, client, scopes);
  if (challenge !== undefined) return { kind: 'error', ...address, ...challenge };
  const maxAge = values.get('max_age');
  const request = {
    ...address,
    ...found,
    scopes,
    codeChallenge: values.get('code_challenge'),
    nonce: values.get('nonce'),
    resource: values.get('resource'),
    prompts: promptsOf(values),
    maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge),
    loginHint: values.get('login_hint'),
    idTokenHint: values.get('id_token_hint'),
  };
  return { kind: 'request', request };
}

function faultOf({ values, repeated }: Parameters, client: OAuthClient): Fault | undefined {
  if (repeated.has('resource')) return { error: 'invalid_target', description: 'one resource at most' };
  const [twice] = repeated;
  if (twice !== undefined) return invalid('a parameter occurs twice');
  if (values.has('request')) return { error: 'request_not_supported' };
  if (values.has('request_uri')) return { error: 'request_uri_not_supported' };
  if (values.has('registration')) return { error: 'registration_not_supported' };
  const responseType = values.get('response_type');
  if (responseType === undefined) return invalid('response_type is missing');
  if (responseType !== 'code') return { error: 'unsupported_response_type' };
  const mode = values.get('response_mode') ?? 'query';
  if (mode !== 'query' && mode !== 'form_post') return invalid('response_mode must be query or form_post');
  if (mode === 'form_post' && !isWebAddress(values.get('redirect_uri') ?? ''))
    return invalid('form_post needs a redirect_uri with http or https');
  if (!client.grantTypes.includes('authorization_code')) return { error: 'unauthorized_client' };
  const resource = values.get('resource');
  if (resource !== undefined && !client.resources.includes(resource)) return { error: 'invalid_target' };
  if ((values.get('nonce') ?? '').length > NONCE_MAX) return invalid('nonce is too long');
  const maxAge = values.get('max_age');
  if (maxAge !== undefined && !MAX_AGE.test(maxAge)) return invalid('max_age must be a number of seconds');
  const prompts = promptsOf(values);
  if ([...prompts].some((prompt) => !PROMPTS.has(prompt))) return invalid('prompt has an unknown value');
  if (prompts.has('none') && prompts.size > 1) return invalid('prompt none excludes others');
  return undefined;
}

function isWebAddress(uri: string): boolean {
  return /^https?:/i.test(uri);
}

const NONCE_MAX = 1000;
const MAX_AGE = /^\d{1,9}$/;
const PROMPTS: ReadonlySet<string> = new Set(['none', 'login', 'consent', 'select_account']);

function promptsOf(values: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set((values.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== ''));
}

/**
 * A code is bound to who asked for it by PKCE (RFC 7636), only with S256. A confidential client that is exempt sends a
 * nonce instead, which it finds in its ID token (RFC 9700 §4.5.3), unless it is exempt from this, too.
 */
function challengeFault(
  values: ReadonlyMap<string, string>,
  { requiresPkce, requiresNonce }: OAuthClient,
  scopes: readonly string[],
): Fault | undefined {
  const challenge = values.get('code_challenge');
  if (challenge !== undefined) {
    if (values.get('code_challenge_method') !== 'S256') return invalid('code_challenge_method must be S256');
    return CHALLENGE.test(challenge) ? undefined : invalid('code_challenge is no SHA-256 in base64url');
  }
  if (values.has('code_challenge_method') || requiresPkce) return invalid('code_challenge is missing');
  const isBound = !requiresNonce || (values.has('nonce') && scopes.includes('openid'));
  return isBound ? undefined : invalid('code_challenge, or a nonce with the scope openid, is missing');
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

function invalid(description: string): Fault {
  return { error: 'invalid_request', description };
}

/**
 * Those of the scopes that a client asks for which it has: the answer says which (RFC 6749 §3.3). At a sign-in and at
 * each refresh alike, because most libraries ask for the same text again. `undefined` if none is left.
 */
export function readScopes(text: string | undefined, { scopes }: { scopes: readonly string[] }) {
  const asked = new Set((text ?? '').split(' '));
  const given = [...asked].filter((scope) => scopes.includes(scope));
  return given.length === 0 ? undefined : given;
}

/**
 * What the user is asked about. What outlives its session does so by refresh tokens, for which agents do not ask: an API
 * has told them what it needs itself, and that is all they ask for.
 */
export function scopesOfSignIn(text: string | undefined, client: OAuthClient): string[] | undefined {
  const asked = readScopes(text, client);
  const isAdded = client.grants === 'own' && client.scopes.includes(REFRESHING);
  return asked && isAdded && !asked.includes(REFRESHING) ? [...asked, REFRESHING] : asked;
}

const REFRESHING = 'offline_access';

/** The parameters of an OAuth request; those without a value are left out (RFC 6749 §3.1). */
export interface Parameters {
  values: ReadonlyMap<string, string>;
  /** Names that occur twice, which they must not, with a value or without. */
  repeated: ReadonlySet<string>;
}

const PAIRS_MAX = 50;

/** Reads a query string; `undefined` if it has too many parameters, or text that cannot be stored. */
export function readParameters(query: string): Parameters | undefined {
  if (query.split('&', PAIRS_MAX + 1).length > PAIRS_MAX) return undefined;
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (value.includes('\0')) return undefined;
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
    if (value !== '') values.set(name, value);
  }
  return { values, repeated };
}

/**
 * Whether a client registered this redirect URI: character by character (OAuth 2.1 §2.3.1), except that a native app,
 * which is a public client, listens on any port of the loopback address (RFC 8252 §7.3), and of `localhost` if it may:
 * that name may lead elsewhere (§8.3), but tools that others have written know no other.
 */
export function isRegisteredRedirect(
  client: Pick<OAuthClient, 'isPublic' | 'anyLocalhostPort'> & { redirectUris: readonly string[] },
  given: string,
): boolean {
  const { redirectUris, isPublic, anyLocalhostPort } = client;
  if (redirectUris.includes(given)) return true;
  const asked = isPublic ? LOOPBACK.exec(given) : null;
  if (asked === null || Number(asked[2] ?? 0) > PORT_MAX) return false;
  if (asked[1] === 'http://localhost' && !anyLocalhostPort) return false;
  return redirectUris.some((registered) => {
    const known = LOOPBACK.exec(registered);
    return known !== null && known[1] === asked[1] && (known[3] ?? '/') === (asked[3] ?? '/');
  });
}

const PORT_MAX = 65_535;

/** Host, port and the rest of a URI of the loopback address, without user information. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?(\/[^\s#]*)?$/;

/** The redirect URI with parameters added to its query (RFC 6749 §4.1.2). */
export function redirectTo(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`;
}
