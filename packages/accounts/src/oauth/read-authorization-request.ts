import { oauthClients, type OAuthClient } from '@gatehouse/db';
import { isUuid } from '@gatehouse/schema';
import type { AccountsDeps } from '../deps.ts';
import { readParameters, type Parameters } from './request-parameters.ts';
import { isRegisteredRedirect } from './redirect-uri.ts';
import { readScopes } from './scopes.ts';

/** A valid authorization request (OpenID Connect Core §3.1.2.1), in our names. */
export interface AuthorizationRequest extends ReturnAddress {
  client: OAuthClient;
  scopes: string[];
  codeChallenge: string | undefined;
  nonce: string | undefined;
  resource: string | undefined;
  prompts: ReadonlySet<string>;
  maxAgeSeconds: number | undefined;
  loginHint: string | undefined;
  idTokenHint: string | undefined;
}

/** Where the answer goes. */
export interface ReturnAddress {
  redirectUri: string;
  state: string | undefined;
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
  { db }: Pick<AccountsDeps, 'db'>,
  query: string,
): Promise<ReadRequest> {
  const parameters = readParameters(query);
  if (parameters === undefined) return { kind: 'refused', code: 'invalid_request' };
  const { values, repeated } = parameters;
  if (repeated.has('client_id') || repeated.has('redirect_uri')) {
    return { kind: 'refused', code: 'invalid_request' };
  }
  const [clientId, redirectUri] = [values.get('client_id'), values.get('redirect_uri')];
  const client =
    clientId !== undefined && isUuid(clientId) ? await oauthClients.find(db, clientId) : undefined;
  if (client === undefined) return { kind: 'refused', code: 'unknown_client' };
  if (redirectUri === undefined) return { kind: 'refused', code: 'redirect_uri_missing' };
  if (!isRegisteredRedirect(client, redirectUri)) return { kind: 'refused', code: 'redirect_uri_mismatch' };

  const address = { redirectUri, state: repeated.has('state') ? undefined : values.get('state') };
  const fault = faultOf(parameters, client);
  if (fault !== undefined) return { kind: 'error', ...address, ...fault };
  const scopes = readScopes(values.get('scope'), client);
  if (scopes === undefined) return { kind: 'error', ...address, error: 'invalid_scope' };
  const challenge = challengeFault(values, client, scopes);
  if (challenge !== undefined) return { kind: 'error', ...address, ...challenge };
  const maxAge = values.get('max_age');
  const request = {
    ...address,
    client,
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
  if ((values.get('response_mode') ?? 'query') !== 'query') return invalid('response_mode must be query');
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
