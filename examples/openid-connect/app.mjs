/**
 * An application that signs people in by OpenID Connect (authorization code, PKCE, refresh, sign-out) and shows what it
 * learns. A public client for your own machine; a confidential one passes its secret to `discovery`.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import * as oidc from 'openid-client';
import { accountPage, welcomePage } from './pages.mjs';

// oxlint-disable-next-line no-restricted-properties -- its own settings
const { ISSUER = 'http://127.0.0.1:8080', CLIENT_ID, PORT = '9091', BIND_ADDRESS } = process.env;
const origin = `http://127.0.0.1:${PORT}`;
const redirectUri = `${origin}/callback`;
const VISITORS_MAX = 100;

/** Browsers by cookie: the checks of a sign-in that has begun (`begun`), or the tokens of who is signed in (`tokens`). */
const visitors = new Map();
let discovered;

/** At the first use, because the application may start before Gatehouse; again if it failed. */
function provider() {
  discovered ??= oidc
    .discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), { execute: [oidc.allowInsecureRequests] })
    .catch((error) => {
      discovered = undefined;
      throw error;
    });
  return discovered;
}

const ROUTES = {
  'GET /': async (visitor) => {
    if (visitor.tokens === undefined) return { page: welcomePage() };
    const claims = visitor.tokens.claims();
    try {
      // At every visit, so that the end of the session shows at once.
      const userinfo = await oidc.fetchUserInfo(await provider(), visitor.tokens.access_token, claims.sub);
      return { page: accountPage({ claims, userinfo }) };
    } catch (error) {
      if (!(error instanceof oidc.WWWAuthenticateChallengeError)) throw error;
      delete visitor.tokens;
      return { page: welcomePage('Your session has ended.') };
    }
  },
  'POST /login': async (visitor) => {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
    visitor.begun = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    const url = oidc.buildAuthorizationUrl(await provider(), {
      redirect_uri: redirectUri,
      scope: 'openid profile email groups offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    });
    return { to: url.href };
  },
  'GET /callback': async (visitor, { url }) => {
    const { begun } = visitor;
    delete visitor.begun;
    try {
      visitor.tokens = await oidc.authorizationCodeGrant(await provider(), new URL(url, origin), begun);
      return { to: '/' };
    } catch (error) {
      const reason = error instanceof oidc.AuthorizationResponseError ? error.error : 'something went wrong';
      return { page: welcomePage(`Not signed in: ${reason}.`) };
    }
  },
  'POST /refresh': async (visitor) => {
    try {
      visitor.tokens = await oidc.refreshTokenGrant(await provider(), visitor.tokens?.refresh_token ?? '');
      return { to: '/' };
    } catch (error) {
      if (!(error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')) throw error;
      delete visitor.tokens;
      return { page: welcomePage('The refresh was refused: your session has ended.') };
    }
  },
  'POST /logout': async (visitor) => {
    const hint = visitor.tokens?.id_token;
    delete visitor.tokens;
    if (hint === undefined) return { to: '/' };
    const asked = { id_token_hint: hint, post_logout_redirect_uri: `${origin}/` };
    return { to: oidc.buildEndSessionUrl(await provider(), asked).href };
  },
};

async function answer(request, response) {
  const { pathname } = new URL(request.url, origin);
  if (pathname === '/health') return response.end();
  const handle = ROUTES[`${request.method} ${pathname}`];
  // Pages of other sites must not sign anybody in or out here.
  const site = request.headers['sec-fetch-site'];
  const isForged = request.method === 'POST' && site !== undefined && site !== 'same-origin';
  if (handle === undefined || isForged) return response.writeHead(handle ? 403 : 404).end();
  const { id, visitor } = visitorOf(request);
  response.setHeader('Set-Cookie', `demo-app=${id}; HttpOnly; SameSite=Lax; Path=/`);
  const { to, page } = await handle(visitor, request);
  if (to !== undefined) return response.writeHead(303, { Location: to }).end();
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
  return response.end(page);
}

function visitorOf({ headers: { cookie = '' } }) {
  const shown = /(?:^|; )demo-app=([\w-]{43})(?:;|$)/.exec(cookie)?.[1] ?? '';
  const known = visitors.get(shown);
  if (known !== undefined) return { id: shown, visitor: known };
  const id = randomBytes(32).toString('base64url');
  const visitor = {};
  visitors.set(id, visitor);
  for (const oldest of visitors.keys()) if (visitors.size > VISITORS_MAX) visitors.delete(oldest);
  return { id, visitor };
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    if (!response.headersSent) response.writeHead(502);
    response.end('Gatehouse cannot be reached. Try again.');
  });
}).listen(Number(PORT), BIND_ADDRESS ?? '127.0.0.1');
