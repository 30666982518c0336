/** An OpenID provider that signs in any typed email without a password. Only for use on your own machine. */
import { createECDH, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Provider } from 'oidc-provider';
import { loginPage, signedOutPage, signOutPage } from './pages.mjs';

// oxlint-disable-next-line no-restricted-properties -- its own settings
const { env } = process;
/** Where Gatehouse takes what this provider sends: the paths contain what it calls the provider. */
const gatehouse = `${env.ADMIN_URL ?? 'http://127.0.0.1:8090'}/auth/${env.PROVIDER_ID ?? 'demo'}`;
export const settings = {
  port: Number(env.PORT ?? 9090),
  bindAddress: env.BIND_ADDRESS ?? '127.0.0.1',
  /** Kept, so that sign-ons survive a restart. */
  keysFile: env.KEYS_FILE ?? 'keys.json',
  /** With commas, in lower case: those that are never verified, so that nobody gets into their accounts from here. */
  unverified: new Set(env.UNVERIFIED_EMAILS?.split(',')),
};

const CLIENT = {
  client_id: env.CLIENT_ID,
  client_secret: env.CLIENT_SECRET,
  redirect_uris: [`${gatehouse}/callback`],
  backchannel_logout_uri: `${gatehouse}/backchannel-logout`,
  backchannel_logout_session_required: true,
  response_types: ['code'],
  grant_types: ['authorization_code'],
  id_token_signed_response_alg: 'ES256',
};

/** The handler of its requests. */
export function identityProvider() {
  const keys = openKeys(settings.keysFile);
  const provider = new Provider(`http://127.0.0.1:${settings.port}`, {
    clients: [CLIENT],
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
    fetch: (url, { dispatcher: _, ...options } = {}) => fetch(url, options),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { Interaction: 3600, Session: 3600, Grant: 3600, AccessToken: 600, IdToken: 600 },
    findAccount: (_context, subject) => ({ accountId: subject, claims: () => claimsOf(subject) }),
    // No consent page: people come here to share their email with Gatehouse.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.on('backchannel.error', (_context, { message: reason }) => {
    process.stderr.write(`${JSON.stringify({ level: 'warn', msg: 'logout token refused', reason })}\n`);
  });
  const answer = provider.callback();
  return (request, response) => {
    if (request.url === '/') return response.writeHead(303, { Location: '/session/end' }).end();
    const isInteraction = /^\/interaction\/[\w-]+(?:\/cancel)?$/.test(request.url);
    const done = isInteraction ? interact(provider, request, response) : answer(request, response);
    return done.catch(() => {
      if (!response.headersSent) response.writeHead(400);
      response.end('This sign-in is over. Go back and begin again.');
    });
  };
}

/** What is left to the application by the library: who signs in. */
async function interact(provider, request, response) {
  const finish = (result) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  const { uid } = await provider.interactionDetails(request, response);
  if (request.url.endsWith('/cancel'))
    return finish({ error: 'access_denied', error_description: 'The user did not want to' });
  const typed = request.method === 'POST' ? (await readForm(request)).get('login') : undefined;
  // As Gatehouse reads it, in any spelling of letters and dots.
  const email = typed?.normalize('NFKC').replaceAll('\u3002', '.').trim().toLowerCase() ?? '';
  if (/^[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)*$/.test(email) && email.length <= 200)
    return finish({ login: { accountId: subjectOf(email), remember: false } });
  response.writeHead(typed === undefined ? 200 : 400, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
  });
  return response.end(loginPage({ uid, typed }));
}

async function readForm(request) {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 10_000) break;
  }
  return new URLSearchParams(text);
}

/** A prefix that no email can have. */
const UNVERIFIED = 'unverified ';

/**
 * Computed without storage. Emails that are never verified get a separate subject, so that this provider cannot open
 * such an account even if it was linked earlier.
 */
function subjectOf(email) {
  return Buffer.from(`${settings.unverified.has(email) ? UNVERIFIED : ''}${email}`).toString('base64url');
}

function personOf(subject) {
  const text = Buffer.from(subject, 'base64url').toString();
  const email = text.replace(UNVERIFIED, '');
  return { email, isVerified: email === text && !email.startsWith('unverified-') };
}

function claimsOf(subject) {
  const { email, isVerified } = personOf(subject);
  return { sub: subject, email, email_verified: isVerified, name: email.slice(0, email.indexOf('@')) };
}

/** The keys of this provider, generated on its first start. */
function openKeys(file) {
  if (!existsSync(file)) {
    const keys = { signing: newSigningKey(), cookies: randomBytes(32).toString('hex') };
    writeFileSync(`${file}.new`, JSON.stringify(keys), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Not from a `KeyObject`, whose export as a JWK may block Node 20 forever. */
function newSigningKey() {
  const pair = createECDH('prime256v1');
  // 4 (uncompressed), then both coordinates of 32 bytes (SEC 1 §2.3.3).
  const point = pair.generateKeys();
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  // Without leading zeros so far.
  const d = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
  return { kty: 'EC', crv: 'P-256', use: 'sig', kid: randomBytes(8).toString('hex'), x, y, d };
}
