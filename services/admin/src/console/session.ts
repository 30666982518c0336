import {
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
import { Enum, Integers, Locale, Nullable, PingStatus, ROLES, Type, Uuid } from '@gatehouse/schema';
import type { Static } from '@gatehouse/schema';
import { routeOf, type Deps } from '../deps.ts';

const route = routeOf({ tag: 'Console' });

export const ConsoleSession = Type.Object(
  {
    Account: Type.Object(
      {
        Id: Uuid(),
        Email: Type.String(),
        DisplayName: Nullable(Type.String()),
        Locale: Locale(),
        Role: Enum(ROLES),
        IsTwoFactorEnabled: Type.Boolean(),
        HasPassword: Type.Boolean(),
        ConfirmsWithCode: Type.Boolean({
          description:
            'Whether `POST /console/session/confirm` requires a second factor instead of the password',
        }),
      },
      { title: 'ConsoleAccount' },
    ),
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
    Account: {
      Id: account.id,
      Email: account.email,
      DisplayName: account.displayName,
      Locale: account.locale,
      Role: account.role,
      IsTwoFactorEnabled: account.isTwoFactorEnabled,
      HasPassword: account.passwordScheme !== null,
      ConfirmsWithCode: usesSecondFactor(account),
    },
    SessionId: sessionId,
    ExpiresAt: new Date(Math.min(state.expiresAt, endsAt) * 1000).toISOString(),
    IdleSeconds: settings.SESSION_IDLE_SECONDS,
    HasWebhooks: sealHookSecret !== undefined,
  };
}

type RefuseOthers = Refuse<'forbidden'>;

/**
 * An additional condition of a login to the console, in the transaction that opens the session: a user who is no longer an
 * administrator loses no session and no code. `refused` is called for such a user.
 */
function admitAdministrator(refuse: RefuseOthers, refused: (accountId: string) => void): OnSessionOpen {
  return async (tx, { accountId }) => {
    if (await isAdministrator(tx, accountId)) return;
    refused(accountId);
    throw onlyAdministrators(refuse);
  };
}

/** @throws {ApiError} 403 if the account is not an administrator. */
async function requireAdministrator(executor: Executor, accountId: string, refuse: RefuseOthers) {
  if (!(await isAdministrator(executor, accountId))) throw onlyAdministrators(refuse);
}

async function isAdministrator(executor: Executor, accountId: string): Promise<boolean> {
  return (await accounts.findById(executor, accountId))?.role === 'Admin';
}

function onlyAdministrators(refuse: RefuseOthers): ApiError {
  return refuse('forbidden', 'The console is for administrators');
}

export const openConsoleSession = route('POST /console/session', {
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
    const { address, traceId, userAgent, dueAt } = request;
    // Otherwise the answer would tell anybody which accounts without a password are administrators.
    const settings = { ...deps.settings, DISCLOSE_PENDING_ACCOUNTS: false };
    const outcome = await takeLoginStep({ ...deps, settings }, step, {
      ...{ address, traceId, userAgent, dueAt },
      addressGroup: request.addressGroup,
      onOpen: admitAdministrator(refuse, (accountId) => {
        const { method = 'Password' } = step;
        const attempt = { accountId, method, address, traceId, userAgent };
        deps.signIns.refused({ ...attempt, addressGroup: request.addressGroup }, 'not_administrator');
      }),
    });
    if (outcome.accountId !== undefined) request.addToLog({ accountId: outcome.accountId });
    // A user who would not be admitted is not asked for a second factor, and learns nothing more.
    switch (outcome.kind) {
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
      case 'failed':
        throw failedLogin(refuse, outcome);
      case 'condition':
        await requireAdministrator(deps.db, outcome.accountId, refuse);
        throw accountCondition(refuse, outcome.condition, outcome.ban);
      case 'exists':
        await requireAdministrator(deps.db, outcome.accountId, refuse);
        throw sessionExists(refuse, outcome);
      case 'second_factor':
        await requireAdministrator(deps.db, outcome.accountId, refuse);
        return outcome.next;
      case 'opened': {
        request.addToLog({ sessionId: outcome.sessionId });
        const session = await consoleSessionOf(deps, outcome);
        if (session === undefined) throw refuse('unavailable');
        const { recoveryCodes } = outcome;
        return reply({
          headers: { 'Set-Cookie': sessionCookie(deps, site, outcome) },
          body: { ...session, ...(recoveryCodes && { RecoveryCodes: recoveryCodes }) },
        });
      }
    }
  },
});

export const requestConsolePasskey = route('POST /console/session/passkey', {
  operationId: 'beginConsolePasskeyLogin',
  summary: 'Begin a console login with a passkey',
  description: 'Like `/account/login/passkey`; the token is for `POST /console/session`.',
  access: 'public',
  response: PasskeyChallenge,
  errors: ['conflict', 'too_many_requests'],
  handler: async ({ deps, request, refuse }) => {
    return passkeyChallenge(refuse, await requestAnyPasskey(deps, request.addressGroup, request));
  },
});

export const getConsoleSession = route('GET /console/session', {
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

export const getConsoleVisitor = route('GET /console/visitor', {
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

export const pingConsoleSession = route('POST /console/session/ping', {
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

export const closeConsoleSession = route('DELETE /console/session', {
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
