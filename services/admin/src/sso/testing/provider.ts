import { createHash, createHmac, createPrivateKey, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { newP256Jwk } from '@gatehouse/runtime';
import { serve } from '@gatehouse/runtime/testing';

/** How an ID token is signed: correctly, or forged in one of these ways. */
export type Signing = 'right' | 'other-key' | 'unknown-key' | 'none' | 'shared-secret' | 'broken';

type Endpoint = 'discovery' | 'token' | 'jwks' | 'userinfo';

export interface Behaviour {
  person: Record<string, unknown>;
  /** Replaces claims of the ID token; `undefined` omits a claim. */
  claims: Record<string, unknown>;
  signing: Signing;
  /** Replaces fields of the discovery document. */
  metadata: Record<string, unknown>;
  /** The userinfo response. If `undefined`, there is no userinfo endpoint. */
  userInfo: Record<string, unknown> | undefined;
  /** Additional parameters of its response in the browser. */
  answer: Record<string, string>;
  /** Fields that it adds to an answer by a form post; `undefined` if it redirects. */
  formPost: Record<string, string> | undefined;
  /** Whether the token request is that of its client; by default, by Basic. */
  isClient: ((form: URLSearchParams) => boolean) | undefined;
  /** Whether it publishes only the key that it signs with, and does not name it in ID tokens. */
  hasOneKey: boolean;
  /** Endpoints that never respond, and endpoints that respond with 500. */
  hanging: Endpoint[];
  failing: Endpoint[];
}

export const CLIENT = { clientId: 'gatehouse', clientSecret: 'a secret of the tests, known to both' };

/** How it behaves to whom it identifies, unless a test says otherwise. */
export const HONEST: Omit<Behaviour, 'person'> = {
  ...{ claims: {}, metadata: {}, answer: {}, hanging: [], failing: [], userInfo: undefined },
  signing: 'right',
  ...{ formPost: undefined, isClient: undefined, hasOneKey: false },
};

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

/**
 * An OpenID provider for tests. It authenticates the given person, and sends forged responses on request. `name` is an
 * issuer under which something in front of it is reached.
 */
export async function startProvider(changes: Partial<Behaviour> = {}, port = 0, name?: string) {
  const behaviour: Behaviour = { person: {}, ...HONEST, ...changes };
  let keys = [newKey(), newKey()];
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>();
  const seen: string[] = [];
  const server = await serve((request, response) => void answer(request, response), { port });
  const issuer = name ?? `http://127.0.0.1:${server.port}`;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', issuer);
    seen.push(url.pathname);
    const endpoint = NAMES[url.pathname];
    if (endpoint !== undefined && behaviour.hanging.includes(endpoint)) return;
    if (endpoint !== undefined && behaviour.failing.includes(endpoint))
      return void response.writeHead(500).end();
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (endpoint === 'discovery') json({ ...metadataOf(issuer), ...userInfoOf(), ...behaviour.metadata });
    else if (endpoint === 'jwks')
      json({ keys: keys.slice(0, behaviour.hasOneKey ? 1 : 2).map(({ jwk }) => jwk) });
    else if (endpoint === 'token') {
      const grant = redeem(new URLSearchParams(await text(request)), request.headers.authorization);
      if (grant === undefined) json({ error: 'invalid_grant' }, 400);
      else json({ access_token: 'opaque', token_type: 'Bearer', id_token: idToken(grant.nonce) });
    } else if (endpoint === 'userinfo') json(behaviour.userInfo);
    else if (url.pathname === '/authorize') {
      const { formPost } = behaviour;
      const callback = new URL(authorize(url.searchParams));
      if (formPost === undefined) response.writeHead(303, { Location: callback.href }).end();
      else response.writeHead(200, { 'Content-Type': 'text/html' }).end(postingPage(callback, formPost));
    } else response.writeHead(404).end();
  };

  const userInfoOf = () => behaviour.userInfo && { userinfo_endpoint: `${issuer}/userinfo` };

  const authorize = (asked: URLSearchParams): string => {
    const code = randomBytes(16).toString('hex');
    const redirectUri = asked.get('redirect_uri') ?? '';
    const [nonce, challenge] = [asked.get('nonce') ?? '', asked.get('code_challenge') ?? ''];
    codes.set(code, { nonce, challenge, redirectUri });
    const given = { code, state: asked.get('state') ?? '', iss: issuer, ...behaviour.answer };
    return `${redirectUri}?${new URLSearchParams(given).toString()}`;
  };

  /** Redeems a code: it is valid once, with its PKCE verifier, for the client that has the secret. */
  const redeem = (form: URLSearchParams, authorization = '') => {
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    const challenge = verifier.digest('base64url');
    const [id, secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
    const isClient =
      id === CLIENT.clientId && new URLSearchParams(`s=${secret}`).get('s') === CLIENT.clientSecret;
    const isRight = challenge === grant?.challenge && form.get('redirect_uri') === grant.redirectUri;
    return (behaviour.isClient?.(form) ?? isClient) && isRight ? grant : undefined;
  };

  const idToken = (nonce: string): string => {
    const now = Math.floor(Date.now() / 1000);
    const standing = { iss: issuer, aud: CLIENT.clientId, nonce, iat: now, exp: now + 300 };
    const claims = { ...standing, ...behaviour.person, ...behaviour.claims };
    return signed(claims, behaviour.signing, keys, behaviour.hasOneKey ? { kid: undefined } : {});
  };

  /** Creates a logout token, in which `claims` and `header` replace the defaults. */
  const logoutToken = (claims: object, signing: Signing = 'right', header: object = {}): string => {
    const now = Math.floor(Date.now() / 1000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const jti = randomBytes(16).toString('hex');
    const standing = { iss: issuer, aud: CLIENT.clientId, iat: now, exp: now + 120, jti, events };
    return signed({ ...standing, ...claims }, signing, keys, { typ: 'logout+jwt', ...header });
  };

  return {
    ...server,
    issuer,
    logoutToken,
    behaviour,
    seen,
    rotateKeys: () => {
      keys = [newKey(), newKey()];
    },
  };
}

const NAMES: Partial<Record<string, Endpoint>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/token': 'token',
  '/jwks': 'jwks',
  '/userinfo': 'userinfo',
};

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // A dishonest provider would also accept the secrets of its clients for signing.
    id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
    code_challenge_methods_supported: ['S256'],
  };
}

/** A page that posts an answer at once (OAuth 2.0 Form Post Response Mode, appendix A). */
function postingPage({ origin, pathname, searchParams }: URL, more: Record<string, string>): string {
  const inputs = Object.entries({ ...Object.fromEntries(searchParams), ...more }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value.replaceAll('"', '&quot;')}">`,
  );
  return `<!doctype html><link rel="icon" href="data:,"><title>Submitting</title>
    <body onload="document.forms[0].submit()"><form method="post" action="${origin}${pathname}">${inputs.join('')}</form>`;
}

interface Key {
  kid: string;
  privateKey: KeyObject;
  jwk: object;
}

function newKey(): Key {
  const { d, ...publicJwk } = newP256Jwk();
  const kid = randomBytes(8).toString('hex');
  const privateKey = createPrivateKey({ format: 'jwk', key: { ...publicJwk, d } });
  return { kid, privateKey, jwk: { ...publicJwk, kid, alg: 'ES256', use: 'sig' } };
}

function signed(claims: object, signing: Signing, keys: Key[], header: object = {}): string {
  const [key = newKey(), other = newKey()] = keys;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const alg = signing === 'none' ? 'none' : signing === 'shared-secret' ? 'HS256' : 'ES256';
  const kid = signing === 'unknown-key' ? 'nobody-s' : key.kid;
  const input = `${part({ alg, typ: 'JWT', ...(alg === 'ES256' && { kid }), ...header })}.${part(claims)}`;
  const byKey = ({ privateKey }: Key): string =>
    sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  const signatures: Partial<Record<Signing, () => string>> = {
    none: () => '',
    'shared-secret': () => createHmac('sha256', CLIENT.clientSecret).update(input).digest('base64url'),
    'other-key': () => byKey(other),
    broken: () => byKey(key).replace(/^../, 'AA'),
  };
  return `${input}.${signatures[signing]?.() ?? byKey(key)}`;
}
