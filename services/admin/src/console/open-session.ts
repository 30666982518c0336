import {
  LOGIN_FIELDS,
  loginForms,
  readLoginStep,
  RecoveryCodes,
  SECOND_STEPS,
  sessionCookie,
  takeLoginStep,
} from '@gatehouse/accounts';
import {
  ACCOUNT_CONDITIONS,
  accountCondition,
  browserSiteForLogin,
  failedLogin,
  invalidRequest,
  reply,
  sessionExists,
  tooManyFailures,
} from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { admitAdministrator, requireAdministrator } from './admit-administrator.ts';
import { ConsoleSession, consoleSessionOf } from './console-session.ts';

export const openConsoleSession = route({
  method: 'post',
  path: '/console/session',
  operationId: 'openConsoleSession',
  tag: 'Console',
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
