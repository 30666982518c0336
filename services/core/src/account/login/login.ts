import {
  knownTags,
  LOGIN_FIELDS,
  loginForms,
  MAIL_CODE_FIELDS,
  readLoginStep,
  RecoveryCodes,
  SECOND_STEPS,
  sessionCookie,
  takeLoginStep,
} from '@gatehouse/accounts';
import type { OnSessionOpen, TokenSet } from '@gatehouse/accounts';
import {
  ACCOUNT_CONDITIONS,
  accountCondition,
  browserSiteForLogin,
  failedLogin,
  invalidRequest,
  readSessionTag,
  reply,
  sessionExists,
  SessionTag,
  tooManyFailures,
} from '@gatehouse/http';
import type { Refuse, RequestFacts } from '@gatehouse/http';
import { Enum, Optional, Text, Type } from '@gatehouse/schema';
import { accounts } from '@gatehouse/db';
import { route, type Deps } from '../../deps.ts';
import { TokenSetAnswer } from '../session.ts';

const DELIVERY_FIELDS = {
  Delivery: Type.Optional(
    Enum(['Tokens', 'Cookie'], {
      description:
        'With `Cookie`, pages of `PUBLIC_URL` get a session cookie instead of tokens. `Tokens` by default. Send ' +
        'it with every step.',
    }),
  ),
  KeepSignedIn: Optional.Boolean({
    description: 'With `Cookie`: whether the browser keeps the cookie when it is closed',
  }),
};

type Opened = Record<'accountId' | 'sessionId', string> & { tokens: TokenSet };

/** Reads how to deliver a session, before the login does anything; `onOpen` is the condition that this adds to it. */
function readDelivery(
  deps: Pick<Deps, 'browser' | 'settings' | 'signIns' | 'now'>,
  { Delivery, KeepSignedIn }: { Delivery?: 'Tokens' | 'Cookie'; KeepSignedIn?: boolean },
  request: RequestFacts,
  refuse: Refuse<'forbidden'>,
) {
  if (Delivery !== 'Cookie') {
    if (KeepSignedIn !== undefined) {
      const message = 'can be combined only with Delivery "Cookie"';
      const errors = [{ pointer: '/KeepSignedIn', message, code: 'does_not_go_with' as const }];
      throw invalidRequest('The request failed validation', { errors });
    }
    const deliver = ({ tokens }: Opened, more: { RecoveryCodes?: string[] }) => ({ ...tokens, ...more });
    return { deliver, onOpen: undefined };
  }
  const site = browserSiteForLogin(deps.browser.sites, 'pages', request);
  const { SESSION_IDLE_SECONDS: idleSeconds, SESSION_MAX_SECONDS: maxSeconds } = deps.settings;
  const deliver = (opened: Opened, more: { RecoveryCodes?: string[] }) =>
    reply({
      headers: { 'Set-Cookie': sessionCookie(deps, site, opened, { isKept: KeepSignedIn }) },
      body: { ExpirationSeconds: Math.min(idleSeconds, maxSeconds), ...more },
    });
  return { deliver, onOpen: admitPeople(deps, request, refuse) };
}

/** Service accounts cannot use the account pages: a service's password that is used there was stolen. */
function admitPeople(
  { signIns }: Pick<Deps, 'signIns'>,
  { address, addressGroup, userAgent, traceId }: RequestFacts,
  refuse: Refuse<'forbidden'>,
): OnSessionOpen {
  return async (tx, { accountId }) => {
    if ((await accounts.findById(tx, accountId))?.isService !== true) return;
    // Service accounts have no passkeys.
    const attempt = { accountId, method: 'Password', address, addressGroup, userAgent, traceId } as const;
    signIns.refused(attempt, 'forbidden');
    throw refuse('forbidden', 'Service accounts cannot sign in to the account pages');
  };
}

const LoginAnswer = Type.Union([
  TokenSetAnswer,
  Type.Object({ ...TokenSetAnswer.properties, RecoveryCodes }, { title: 'TokenSetWithRecoveryCodes' }),
  Type.Object(
    {
      ExpirationSeconds: Type.Integer({
        minimum: 1,
        description: 'With `Delivery: "Cookie"`: how long the session lasts without a ping, in seconds',
      }),
      RecoveryCodes: Type.Optional(RecoveryCodes),
    },
    { title: 'CookieSession' },
  ),
  ...SECOND_STEPS,
]);

export const login = route('POST /account/login', {
  operationId: 'login',
  tag: 'Sessions',
  summary: 'Log in with a password or mailed code and a second factor, or with a passkey',
  description:
    'Send `Username` and `Password` (and `TwoFactorCode` if the client already has it), or the `MailCode` and ' +
    '`RequestToken` of `POST /account/login/email`. If the response contains a `TwoFactorToken`, send that token ' +
    'with a `TwoFactorCode`, or with the `Credential` of a passkey, in a second request. To log in with only a ' +
    'passkey, send the `PasskeyToken` of `POST /account/login/passkey` with the `Credential`; no second factor is ' +
    'required then. With `SESSION_LIMIT=refuse`, a login that finds every slot taken returns 409 ' +
    '`session_exists`; send its `TakeOverToken` to go on.',
  access: 'public',
  body: Type.Object(
    {
      ...LOGIN_FIELDS,
      ...MAIL_CODE_FIELDS,
      DeviceName: Type.Optional(
        Text(100, { description: 'A name by which the owner recognizes this device' }),
      ),
      SessionTag,
      ...DELIVERY_FIELDS,
    },
    {
      ...loginForms({ ...LOGIN_FIELDS, ...MAIL_CODE_FIELDS }),
      examples: [
        { Username: 'ann@example.com', Password: 'correct horse battery staple', DeviceName: 'Ann’s laptop' },
      ],
    },
  ),
  response: LoginAnswer,
  errors: [
    'cross_site',
    'forbidden',
    'authentication_failed',
    'session_exists',
    'too_many_requests',
    ...ACCOUNT_CONDITIONS,
  ],
  headers: { response: { 'Set-Cookie': 'The session cookie, with `Delivery: "Cookie"`' } },
  handler: async ({ body, deps, request, refuse }) => {
    const step = readLoginStep(body);
    if (step.kind === 'invalid')
      throw invalidRequest('The request failed validation', { errors: step.errors });
    const { deliver, onOpen } = readDelivery(deps, body, request, refuse);
    const tag = readSessionTag(body.SessionTag, knownTags(deps.slots));
    const { address, addressGroup, traceId, userAgent, dueAt } = request;
    const origin = { address, addressGroup, traceId, userAgent, dueAt, deviceName: body.DeviceName, tag };
    const outcome = await takeLoginStep(deps, step, { ...origin, onOpen });
    if (outcome.accountId !== undefined) request.addToLog({ accountId: outcome.accountId });
    switch (outcome.kind) {
      case 'opened': {
        request.addToLog({ sessionId: outcome.sessionId });
        const { recoveryCodes } = outcome;
        return deliver(outcome, recoveryCodes === undefined ? {} : { RecoveryCodes: recoveryCodes });
      }
      case 'second_factor':
        return outcome.next;
      case 'condition':
        throw accountCondition(refuse, outcome.condition, outcome.ban);
      case 'exists':
        throw sessionExists(refuse, outcome);
      case 'failed':
        throw failedLogin(refuse, outcome);
      case 'throttled':
        throw tooManyFailures(refuse, outcome);
    }
  },
});
