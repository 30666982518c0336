import { randomBytes, type JsonWebKey } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { newP256Jwk, readConfig, secret } from '@gatehouse/runtime';
import { emailKey, normalizeEmail, Type } from '@gatehouse/schema';
import { Provider, type AccountClaims } from 'oidc-provider';
import { drawFace } from '../demo-data/draw-face.ts';
import { demoPage, escapeHtml } from './demo-page.ts';

/** The demo provider: signs in any typed email without a password. Only for use on your own machine. */
const settings = readConfig(
  Type.Object({
    PORT: Type.Integer(),
    BIND_ADDRESS: Type.String(),
    CLIENT_ID: Type.String(),
    CLIENT_SECRET: secret('What Gatehouse authenticates itself with'),
    REDIRECT_URI: Type.String(),
    BACKCHANNEL_LOGOUT_URI: Type.String({ description: 'Where Gatehouse takes logout tokens' }),
    KEYS_FILE: Type.String({ description: 'Kept, so that sign-ons survive a restart' }),
    OTHERS_EMAILS: Type.String({
      description: 'With commas: those whose accounts nobody gets into from here',
    }),
  }),
);
const issuer = `http://127.0.0.1:${settings.PORT}`;
const keys = openKeys(settings.KEYS_FILE);
const othersEmails = new Set(settings.OTHERS_EMAILS.split(','));

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: settings.CLIENT_ID,
      client_secret: settings.CLIENT_SECRET,
      redirect_uris: [settings.REDIRECT_URI],
      backchannel_logout_uri: settings.BACKCHANNEL_LOGOUT_URI,
      backchannel_logout_session_required: true,
      response_types: ['code'],
      grant_types: ['authorization_code'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [keys.signing] },
  cookies: { keys: [keys.cookies] },
  pkce: { required: () => true },
  // The ID token contains all claims, so clients need no further request.
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  features: {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    rpInitiatedLogout: {
      logoutSource: (context, form) => {
        const { email } = personOf(context.oidc.session?.accountId ?? '');
        context.body = signOutPage({ email, form });
      },
      postLogoutSuccessSource: (context) => {
        context.body = signedOutPage();
      },
    },
  },
  // By default the library refuses to connect to addresses of this machine, where Gatehouse runs. It makes no other
  // requests.
  fetch: (url, options = {}) => fetch(url, withoutDispatcher(options)),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  ttl: { Interaction: 3600, Session: 3600, Grant: 3600, AccessToken: 600, IdToken: 600 },
  findAccount: (_context, subject) => ({ accountId: subject, claims: () => claimsOf(subject) }),
  // No consent page: users come here to share their email with Gatehouse.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({
      clientId: oidc.client?.clientId ?? '',
      accountId: oidc.session?.accountId ?? '',
    });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});

provider.on('backchannel.error', (_context, error) => {
  process.stderr.write(
    `${JSON.stringify({ level: 'warn', msg: 'logout token refused', reason: error.message })}\n`,
  );
});

function withoutDispatcher(options: RequestInit): RequestInit {
  const { dispatcher: _, ...others } = options as RequestInit & { dispatcher?: unknown }; // the library adds it
  return others;
}

const answer = provider.callback();
const server = createServer((request, response) => {
  if (answerFace(request, response)) return;
  if (request.url === '/') {
    response.writeHead(303, { Location: '/session/end' }).end();
    return;
  }
  const found = /^\/interaction\/[\w-]+(\/cancel)?$/.exec(request.url ?? '');
  const done =
    found === null ? answer(request, response) : interact(request, response, found[1] !== undefined);
  done.catch(() => {
    if (!response.headersSent) response.writeHead(400);
    response.end('This sign-in is over. Go back and begin again.');
  });
});
server.listen(settings.PORT, settings.BIND_ADDRESS);
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});

async function interact(
  request: IncomingMessage,
  response: ServerResponse,
  isCancelled: boolean,
): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response);
  if (isCancelled) {
    const error = { error: 'access_denied', error_description: 'The user did not want to' };
    return provider.interactionFinished(request, response, error, { mergeWithLastSubmission: false });
  }
  const login = request.method === 'POST' ? (await readForm(request)).get('login')?.trim() : undefined;
  if (login !== undefined && /^[^@\s]+@[^@\s]+$/.test(login) && login.length <= 200) {
    const result = { login: { accountId: subjectOf(login), remember: false } };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
  response.writeHead(login === undefined ? 200 : 400, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
  });
  response.end(loginPage({ uid, typed: login }));
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 10_000) break;
  }
  return new URLSearchParams(text);
}

/** A prefix that no email can have. */
const OTHERS = 'others ';

/**
 * Computed without storage, and the same for any spelling of the email in upper and lower case. Every user of this
 * machine can sign in here as anyone. But the accounts that a stack is seeded with, above all the administrator's,
 * have passwords that other users do not know. Their emails get a separate subject, so that this provider cannot open
 * such an account even if it was linked earlier.
 */
function subjectOf(email: string): string {
  const isOthers = othersEmails.has(emailKey(normalizeEmail(email) ?? email));
  return Buffer.from(`${isOthers ? OTHERS : ''}${email.toLowerCase()}`).toString('base64url');
}

function personOf(subject: string): { email: string; isOthers: boolean } {
  const text = Buffer.from(subject, 'base64url').toString();
  const isOthers = text.startsWith(OTHERS);
  return { email: isOthers ? text.slice(OTHERS.length) : text, isOthers };
}

function claimsOf(subject: string): AccountClaims {
  const { email, isOthers } = personOf(subject);
  return {
    sub: subject,
    email,
    email_verified: !isOthers && !email.startsWith('unverified-'),
    name: email.slice(0, email.indexOf('@')),
  };
}

/** The keys of this provider, generated on its first start. */
function openKeys(file: string): { signing: JsonWebKey & { kty: string }; cookies: string } {
  if (!existsSync(file)) {
    const signing = { ...newP256Jwk(), kid: randomBytes(8).toString('hex'), use: 'sig' };
    const text = JSON.stringify({ signing, cookies: randomBytes(32).toString('hex') });
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  // Only this function writes the file.
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof openKeys>;
}

/** The page where users choose an identity. `typed`: the input, if it was not an email address. */
function loginPage({ uid, typed }: { uid: string; typed: string | undefined }): string {
  const fault = typed === undefined ? '' : '<p role="alert">That is not an email address.</p>';
  return demoPage(
    'Demo sign-in',
    `<p>This provider lets anyone in as anyone. It is for trying single sign-on on your own machine.</p>
    ${fault}
    <form method="post" action="/interaction/${uid}" autocomplete="off">
      <label for="login">Email</label>
      <input id="login" name="login" type="text" inputmode="email" value="${escapeHtml(typed ?? '')}" required autofocus>
      <button type="submit">Sign in</button>
    </form>
    <p><a href="/interaction/${uid}/cancel">Cancel</a></p>
    <p><small>An address that begins with <code>unverified-</code> counts as not verified, and so do those of the
      accounts that the stack began with: they have passwords.</small></p>`,
  );
}

/** The page for signing out of this provider. `form`: the form of the library that the button submits. */
function signOutPage({ email, form }: { email: string; form: string }): string {
  return demoPage(
    'Demo sign-out',
    `<p>You are signed in here as <strong>${escapeHtml(email)}</strong>.</p>
    ${form}
    <button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
    <p><small>Gatehouse gets a logout token, and ends the sessions that this sign-in opened.</small></p>`,
  );
}

/** The page that is shown when nobody is signed in. */
function signedOutPage(): string {
  return demoPage('Demo sign-out', '<p role="status">You are signed out of this provider.</p>');
}

/** Answers requests for faces of the demo data. Returns `false` for all other requests. */
function answerFace(request: IncomingMessage, response: ServerResponse): boolean {
  const found = /^\/faces\/(\d{1,4})-(\d{1,4})(-blurry)?\.svg$/.exec(request.url ?? '');
  if (found === null || request.method !== 'GET') return false;
  const [, person, picture, blurry] = found;
  response.writeHead(200, {
    'Content-Type': 'image/svg+xml',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'max-age=3600',
  });
  response.end(
    drawFace({ person: Number(person), picture: Number(picture), isBlurry: blurry !== undefined }),
  );
  return true;
}
