/* oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 passes on what they reject with */
/** A server-rendered app: tokens stay on the server, and the browser has a cookie with a random id. */
import { randomBytes } from 'node:crypto';
import { createClient, GatehouseError } from 'gatehouse-client';
import express from 'express';
import { accountPage, codePage, failurePage, loginPage } from './pages.mjs';

// oxlint-disable-next-line no-restricted-properties -- its own settings
const { GATEHOUSE = 'http://127.0.0.1:8080', PORT = '3000' } = process.env;
const COOKIE = '__Host-app';
const COOKIE_OPTIONS = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' };
const IDLE_MS = 30 * 60_000;

/** The people who are signing in or signed in, by cookie: the client and the last login outcome of each. */
const people = new Map();

function personOf(request) {
  const [, id] = /(?:^|; )__Host-app=([\w-]{43})(?:;|$)/.exec(request.headers.cookie ?? '') ?? [];
  const person = people.get(id);
  if (person !== undefined) person.usedAt = Date.now();
  return person;
}

/** Sets a new cookie after each step, so that an earlier cookie, or one that an attacker has set, is worthless. */
function remember(request, response, auth, outcome) {
  const before = personOf(request);
  if (before?.auth === auth) people.delete(before.id);
  else if (before !== undefined) void forget(before);
  const id = randomBytes(32).toString('base64url');
  people.set(id, { id, auth, outcome, usedAt: Date.now() });
  response.cookie(COOKIE, id, COOKIE_OPTIONS).redirect(303, '/');
}

/** Ends the session in this app and, if it is reachable, in Gatehouse. */
async function forget({ id, auth }) {
  people.delete(id);
  await auth.logout().catch(() => {});
  auth.close();
}

setInterval(() => {
  for (const person of people.values()) if (Date.now() - person.usedAt > IDLE_MS) void forget(person);
}, 60_000).unref();

/** Sends the person's IP address, because Gatehouse counts failed logins by address. It only trusts known proxies. */
function clientFor({ ip }) {
  const send = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', ip);
    return fetch(input, { ...init, headers });
  };
  return createClient({ baseUrl: GATEHOUSE, storage: 'memory', fetch: send });
}

const app = express();
app.disable('x-powered-by');
app.use((request, response, next) => {
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  });
  // Refuses forms from other sites. They are sent without the cookie, but could sign a person in to another account.
  const from = request.get('sec-fetch-site') ?? 'same-origin';
  if (request.method === 'POST' && from !== 'same-origin')
    response.status(403).send(failurePage('Forbidden.'));
  else next();
});
app.use(express.urlencoded({ extended: false, limit: '4kb' }));

app.get('/', async (request, response) => {
  const person = personOf(request);
  if (person === undefined) return response.send(loginPage());
  const { auth, outcome } = person;
  if (outcome.kind !== 'signed-in') return response.send(codePage(outcome));
  // Tells Gatehouse that the person is active, and this app whether the session still exists.
  await auth.ping().catch((error) => {
    if (auth.getState().kind === 'signed-in') throw error;
  });
  const state = auth.getState();
  if (state.kind === 'signed-in') {
    // The recovery codes are shown once, after the login that set up the second factor.
    person.outcome = { kind: 'signed-in' };
    return response.send(accountPage(state.session, outcome.recoveryCodes));
  }
  people.delete(person.id);
  auth.close();
  return response.clearCookie(COOKIE, COOKIE_OPTIONS).send(loginPage(state.ending?.reason));
});

app.post('/login', async (request, response) => {
  const { email, password } = request.body ?? {};
  const auth = clientFor(request);
  const outcome = await auth.login({
    Username: String(email),
    Password: String(password),
    DeviceName: 'Server-rendered app',
  });
  if (outcome.kind === 'refused') {
    auth.close();
    return response.status(401).send(loginPage(outcome.code));
  }
  return remember(request, response, auth, outcome);
});

app.post('/code', async (request, response) => {
  const person = personOf(request);
  if (person?.outcome.token === undefined) return response.redirect(303, '/');
  const outcome = await person.auth.loginWithCode(person.outcome.token, String(request.body?.code));
  if (outcome.kind === 'refused') return response.status(401).send(codePage(person.outcome, outcome.code));
  return remember(request, response, person.auth, outcome);
});

/** Opens Gatehouse's account pages in this session, by a URL that is valid for one minute and one use. */
app.get('/account', async (request, response) => {
  const person = personOf(request);
  const isSignedIn = person?.auth.getState().kind === 'signed-in';
  response.redirect(303, isSignedIn ? await person.auth.handover('security') : '/');
});

app.post('/logout', async (request, response) => {
  const person = personOf(request);
  if (person !== undefined) await forget(person);
  response.clearCookie(COOKIE, COOKIE_OPTIONS).redirect(303, '/');
});

// Express recognizes an error handler by its four parameters.
app.use((error, _request, response, _next) => {
  if (!(error instanceof GatehouseError)) process.stderr.write(`${error.stack}\n`);
  const isAway = error.code === 'offline' || error.status >= 500;
  response
    .status(isAway ? 503 : 400)
    .send(failurePage(isAway ? 'Try again in a moment.' : 'That did not work.'));
});

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
