import {
  isSingleSession,
  LOGIN_FIELDS,
  loginForms,
  logout,
  ping,
  readLoginStep,
  RecoveryCodes,
  requestAnyPasskey,
  SECOND_STEPS,
  sessionCookie,
  takeLoginStep,
  usesSecondFactor,
  type OnSessionOpen,
} from '@gatehouse/accounts';
import type { BrowserSession } from '@gatehouse/auth-core';
import { accounts, userSessions, type Executor } from '@gatehouse/db';
import {
  ACCOUNT_CONDITIONS,
  accountCondition,
  browserSiteFor,
  browserSiteForLogin,
  failedLogin,
  findVisitor,
  invalidRequest,
  PasskeyChallenge,
  passkeyChallenge,
  reply,
  sessionExists,
  SIGNED_OUT_HEADERS,
  signedOutHeaders,
  tooManyFailures,
  VISITOR_ERRORS,
} from '@gatehouse/http';
import type { ApiError, Refuse } from '@gatehouse/http';
import { record } from '@gatehouse/kit';
import { VERSION } from '@gatehouse/runtime';
import { Enum, Integers, Locale, Nullable, Optional, PingStatus, ROLES, Type, Uuid } from '@gatehouse/schema';
import type { Static } from '@gatehouse/schema';
import { LANGUAGES } from '@gatehouse/web';
import { routeOf, type Deps } from '../deps.ts';

const route = routeOf({ tag: 'Console' });

const ConsoleAccount = record(
  'account',
  {
    id: Uuid(),
    email: Type.String(),
    displayName: Nullable(Type.String()),
    locale: Locale(),
    role: Enum(ROLES),
    isTwoFactorEnabled: Type.Boolean(),
    hasPassword: Type.Boolean(),
    confirmsWithCode: Type.Boolean({
      description: 'Whether `POST /console/session/confirm` requires a second factor instead of the password',
    }),
  },
  { name: 'ConsoleAccount' },
);

export const ConsoleSession = Type.Object(
  {
    Account: ConsoleAccount.Answer,
    SessionId: Uuid(),
    ExpiresAt: Type.String({ format: 'date-time', description: 'When the session ends at the latest' }),
    IdleSeconds: Type.Integer({ description: 'Its lifetime without a ping' }),
    HasWebhooks: Type.Boolean({ description: 'Whether webhooks are on in this installation' }),
  },
  { title: 'ConsoleSession' },
);

/** A session in the console's responses; `undefined` if it has ended. */
export async function consoleSessionOf(
  { db, settings, sealHookSecret }: Deps,
  { accountId, sessionId, endsAt = Infinity }: BrowserSession,
): Promise<Static<typeof ConsoleSession> | undefined> {
  const [account, [state]] = await Promise.all([
    accounts.findById(db, accountId),
    userSessions.findStates(db, [sessionId]),
  ]);
  if (account === undefined || state === undefined) return undefined;
  return {
    Account: ConsoleAccount.answer({
      ...account,
      hasPassword: account.passwordScheme !== null,
      confirmsWithCode: usesSecondFactor(account),
    }),
    SessionId: sessionId,
    ExpiresAt: new Date(Math.min(state.expiresAt, endsAt) * 1000).toISOString(),
    IdleSeconds: settings.SESSION_IDLE_SECONDS,
    HasWebhooks: sealHookSecret !== undefined,
  };
}

/**
 * Looks again in the transaction that opens the session: a user who is no longer an administrator loses no session and
 * no code. `refused` is called for such a user.
 */
function admitAdministrator(
  refuse: Refuse<'forbidden'>,
  refused: (accountId: string) => void,
): OnSessionOpen {
  return async (tx, { accountId }) => {
    if (await isAdministrator(tx, accountId)) return;
    refused(accountId);
    throw onlyAdministrators(refuse);
  };
}

async function isAdministrator(executor: Executor, accountId: string): Promise<boolean> {
  return (await accounts.findById(executor, accountId))?.role === 'Admin';
}

function onlyAdministrators(refuse: Refuse<'forbidden'>): ApiError {
  return refuse('forbidden', 'The console is for administrators');
}

const openConsoleSession = route('POST /console/session', {
  operationId: 'openConsoleSession',
  summary: 'Sign in to the console',
  description:
    'Like `/account/login`, but for administrators only: others are refused before a session is opened. Sets a cookie that ' +
    'Core and Admin accept.',
  access: 'public',
  body: Type.Object(LOGIN_FIELDS, loginForms(LOGIN_FIELDS)),
  response: Type.Union([
    Type.Object(
      { ...ConsoleSession.properties, RecoveryCodes: Type.Optional(RecoveryCodes) },
      { title: 'OpenedConsoleSession' },
    ),
    ...SECOND_STEPS,
  ]),
  errors: [
    'cross_site',
    'forbidden',
    'authentication_failed',
    'session_exists',
    'too_many_requests',
    ...ACCOUNT_CONDITIONS,
  ],
  headers: { response: { 'Set-Cookie': 'The session cookie, once signed in' } },
  handler: async ({ body, deps, request, refuse }) => {
    const step = readLoginStep(body);
    if (step.kind === 'invalid')
      throw invalidRequest('The request failed validation', { errors: step.errors });
    const site = browserSiteForLogin(deps.browser.sites, 'console', request);
    const { address, addressGroup, traceId, userAgent, dueAt } = request;
    // Otherwise the answer would tell anybody which accounts without a password are administrators.
    const settings = { ...deps.settings, DISCLOSE_PENDING_ACCOUNTS: false };
    const outcome = await takeLoginStep({ ...deps, settings }, step, {
      ...{ address, addressGroup, traceId, userAgent, dueAt },
      onOpen: admitAdministrator(refuse, (accountId) => {
        const { method = 'Password' } = step;
        const attempt = { accountId, method, address, addressGroup, traceId, userAgent };
        deps.signIns.refused(attempt, 'not_administrator');
      }),
    });
    if (outcome.accountId !== undefined) request.addToLog({ accountId: outcome.accountId });
    if (outcome.kind === 'throttled') throw tooManyFailures(refuse, outcome);
    if (outcome.kind === 'failed') throw failedLogin(refuse, outcome);
    if (outcome.kind === 'opened') {
      request.addToLog({ sessionId: outcome.sessionId });
      const session = await consoleSessionOf(deps, outcome);
      if (session === undefined) throw refuse('unavailable');
      const { recoveryCodes } = outcome;
      return reply({
        headers: { 'Set-Cookie': sessionCookie(deps, site, outcome) },
        body: { ...session, ...(recoveryCodes && { RecoveryCodes: recoveryCodes }) },
      });
    }
    // A user who would not be admitted is not asked for a second factor, and learns nothing more.
    if (!(await isAdministrator(deps.db, outcome.accountId))) throw onlyAdministrators(refuse);
    if (outcome.kind === 'second_factor') return outcome.next;
    if (outcome.kind === 'exists') throw sessionExists(refuse, outcome);
    throw accountCondition(refuse, outcome.condition, outcome.ban);
  },
});

export const requestConsolePasskey = route('POST /console/session/passkey', {
  operationId: 'beginConsolePasskeyLogin',
  summary: 'Begin a console login with a passkey',
  description: 'Like `/account/login/passkey`; the token is for `POST /console/session`.',
  access: 'public',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ deps, request, refuse }) =>
    passkeyChallenge(refuse, await requestAnyPasskey(deps, request.addressGroup, request)),
});

const getConsoleSession = route('GET /console/session', {
  operationId: 'getConsoleSession',
  summary: 'Get the administrator who is signed in to the console',
  access: 'admin session',
  response: ConsoleSession,
  errors: ['session_ended'],
  handler: async ({ caller, deps, refuse }) => {
    const session = await consoleSessionOf(deps, caller);
    if (session === undefined) throw refuse('session_ended');
    return session;
  },
});

const getConsoleVisitor = route('GET /console/visitor', {
  operationId: 'getConsoleVisitor',
  summary: 'Get the administrator who is signed in to the console, if one is',
  description: 'For the console: to be signed in nowhere is no error here, as long as there is no cookie.',
  access: 'public',
  response: Type.Object({ Session: Nullable(ConsoleSession) }),
  errors: ['forbidden', ...VISITOR_ERRORS],
  handler: async ({ deps, request, refuse }) => {
    const visitor = await findVisitor(deps, 'console', request, refuse);
    if (visitor === undefined) return { Session: null };
    if (visitor.role !== 'Admin') throw onlyAdministrators(refuse);
    return { Session: (await consoleSessionOf(deps, visitor)) ?? null };
  },
});

const pingConsoleSession = route('POST /console/session/ping', {
  operationId: 'pingConsoleSession',
  summary: 'Keep the session of the console alive',
  access: 'admin session',
  recent: { never: 'it only keeps the caller’s own session alive' },
  response: Type.Object({ PingStatus: Integers(PingStatus, 'PingStatus') }),
  errors: ['session_ended'],
  handler: async ({ caller, deps, refuse }) => {
    const pinged = await ping(deps, caller, undefined);
    if (pinged.kind === 'refused') throw refuse(pinged.code);
    return { PingStatus: pinged.status };
  },
});

const closeConsoleSession = route('DELETE /console/session', {
  operationId: 'closeConsoleSession',
  summary: 'Sign out of the console',
  description: 'Ends the session, as `/account/logout` does.',
  access: 'admin session',
  recent: { never: 'it only ends the caller’s own session' },
  headers: { response: SIGNED_OUT_HEADERS },
  handler: async ({ caller, deps, request }) => {
    await logout(deps, caller, request);
    if (caller.via !== 'cookie') return reply({ status: 204 });
    const site = browserSiteFor(deps.browser.sites, caller.purpose);
    return reply({ status: 204, headers: signedOutHeaders(site) });
  },
});

export const consoleSessionRoutes = [
  openConsoleSession,
  getConsoleSession,
  getConsoleVisitor,
  closeConsoleSession,
  pingConsoleSession,
];

export const consoleOptions = route('GET /console/options', {
  operationId: 'getConsoleOptions',
  summary: 'Get the options for signing in to the console',
  access: 'public',
  response: Type.Object({
    Version: Type.String({ description: 'The running release' }),
    SingleSession: Type.Boolean({ description: 'Whether a login ends earlier sessions of the account' }),
    Passkeys: Type.Boolean({ description: 'Whether accounts can log in with a passkey' }),
    Providers: Type.Array(
      Type.Object({ Id: Type.String(), Name: Type.String() }, { title: 'ConsoleProvider' }),
      { description: 'The configured identity providers' },
    ),
    SignOnUrl: Optional.String({
      description:
        'The URL of the console to which identity providers redirect browsers, if any are configured',
    }),
    Locales: Type.Array(Type.String(), { description: 'The languages of the console' }),
    PublicUrl: Type.String({ description: 'The URL of the account pages' }),
  }),
  handler: ({ deps: { passkeys, settings, slots, publicUrl, sso } }) => {
    const { console } = sso.pages;
    const providers = console === undefined ? [] : sso.providers;
    return {
      Version: VERSION,
      SingleSession: isSingleSession(settings, slots),
      Passkeys: passkeys !== undefined,
      Providers: providers.map(({ settings: { id, name } }) => ({ Id: id, Name: name ?? id })),
      ...(console !== undefined && providers.length > 0 && { SignOnUrl: console }),
      Locales: [...LANGUAGES],
      PublicUrl: publicUrl,
    };
  },
});
