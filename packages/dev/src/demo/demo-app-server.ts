import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import * as oidc from 'openid-client';
import { demoPage, escapeHtml } from './demo-page.ts';

/** The demo application: signs people in by OpenID Connect, and shows what it learns. Only for your own machine. */
const settings = readConfig(
  Type.Object({
    PORT: Type.Integer(),
    BIND_ADDRESS: Type.String(),
    ISSUER: Type.String({ description: 'Gatehouse, as its tokens name it' }),
    CLIENT_ID: Type.String(),
  }),
);
const origin = `http://127.0.0.1:${settings.PORT}`;
const redirectUri = `${origin}/callback`;
const SIGN_INS_MAX = 100;

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

/** A browser: a sign-in that has begun, or the tokens of who is signed in. */
interface Visitor {
  begun?: oidc.AuthorizationCodeGrantChecks;
  tokens?: Tokens;
}

const visitors = new Map<string, Visitor>();
let discovered: Promise<oidc.Configuration> | undefined;

/** At the first use, because the application may start before Gatehouse; again if it failed. */
function provider(): Promise<oidc.Configuration> {
  discovered ??= oidc
    .discovery(new URL(settings.ISSUER), settings.CLIENT_ID, undefined, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    })
    .catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
  return discovered;
}

type Handler = (visitor: Visitor, request: IncomingMessage) => Promise<{ to: string } | { page: string }>;

const ROUTES: Record<string, Handler> = {
  'GET /': async (visitor) => {
    if (visitor.tokens === undefined) return { page: welcomePage() };
    const { access_token: accessToken } = visitor.tokens;
    const claims = visitor.tokens.claims();
    try {
      // At every visit, so that the end of the session shows at once.
      const userinfo = await oidc.fetchUserInfo(await provider(), accessToken, claims?.sub ?? '');
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
  'GET /callback': async (visitor, { url = '' }) => {
    const { begun } = visitor;
    delete visitor.begun;
    try {
      visitor.tokens = await oidc.authorizationCodeGrant(await provider(), new URL(url, origin), begun);
      return { to: '/' };
    } catch (error) {
      const said = error instanceof oidc.AuthorizationResponseError ? error.error : 'something went wrong';
      return { page: welcomePage(`Not signed in: ${said}.`) };
    }
  },
  'POST /refresh': async (visitor) => {
    try {
      const shown = visitor.tokens?.refresh_token ?? '';
      visitor.tokens = await oidc.refreshTokenGrant(await provider(), shown);
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

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', origin);
  if (pathname === '/health') return void response.end();
  const handle = ROUTES[`${request.method} ${pathname}`];
  // Pages of other sites must not sign anybody in or out here.
  const site = request.headers['sec-fetch-site'];
  const isForged = request.method === 'POST' && site !== undefined && site !== 'same-origin';
  if (handle === undefined || isForged) return void response.writeHead(handle ? 403 : 404).end();
  const { id, visitor } = visitorOf(request);
  response.setHeader('Set-Cookie', `demo-app=${id}; HttpOnly; SameSite=Lax; Path=/`);
  const done = await handle(visitor, request);
  if ('to' in done) return void response.writeHead(303, { Location: done.to }).end();
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
  response.end(done.page);
}

function visitorOf({ headers: { cookie = '' } }: IncomingMessage): { id: string; visitor: Visitor } {
  const shown = /(?:^|; )demo-app=([\w-]{43})(?:;|$)/.exec(cookie)?.[1] ?? '';
  const known = visitors.get(shown);
  if (known !== undefined) return { id: shown, visitor: known };
  const id = randomBytes(32).toString('base64url');
  const visitor: Visitor = {};
  visitors.set(id, visitor);
  for (const oldest of visitors.keys()) if (visitors.size > SIGN_INS_MAX) visitors.delete(oldest);
  return { id, visitor };
}

/** What somebody sees who is not signed in. `message`: why not. */
function welcomePage(message?: string): string {
  return demoPage(
    'Demo application',
    `${message === undefined ? '' : `<p role="status">${escapeHtml(message)}</p>`}
    <p>An application of somebody else, which signs people in through Gatehouse (OpenID Connect).</p>
    <form method="post" action="/login"><button type="submit">Sign in with Gatehouse</button></form>`,
  );
}

/** What the application knows of who is signed in. */
function accountPage({ claims, userinfo }: { claims: unknown; userinfo: { email?: string } }): string {
  return demoPage(
    'Demo application',
    `<p>You are signed in as <strong>${escapeHtml(userinfo.email ?? '')}</strong>. End the session at Gatehouse, and
      reload this page.</p>
    <form method="post" action="/refresh"><button type="submit">Refresh the tokens</button></form>
    <form method="post" action="/logout"><button type="submit">Sign out</button></form>
    <h2>ID token</h2>
    <pre>${escapeHtml(JSON.stringify(claims, null, 2))}</pre>
    <h2>Userinfo</h2>
    <pre>${escapeHtml(JSON.stringify(userinfo, null, 2))}</pre>`,
  );
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : 'failed'}\n`);
    if (!response.headersSent) response.writeHead(502);
    response.end('Gatehouse cannot be reached. Try again.');
  });
}).listen(settings.PORT, settings.BIND_ADDRESS);
