import {
  asOwner,
  CODE_SECONDS,
  conditionOf,
  exchangeCode,
  handedOver,
  ofActiveSession,
  sessionCookie,
  takeSignOn,
  write,
  type PresentedForSession,
} from '@gatehouse/accounts';
import { endOfCredential, hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { sessionCodes } from '@gatehouse/db';
import {
  exactlyOneOf,
  browserCookieOf,
  browserSiteFor,
  browserSiteForLogin,
  reply,
  sessionExists,
  tooManyFailures,
  type RequestFacts,
} from '@gatehouse/http';
import { CONSOLE_PATHS, Optional, Type } from '@gatehouse/schema';
import { routeOf, type Deps } from '../deps.ts';
import { ConsoleSession, consoleSessionOf } from './session.ts';

const route = routeOf({ tag: 'Console' });

export const postConsoleHandover = route('POST /console/handover', {
  operationId: 'handOverToConsole',
  summary: 'Open the console in the same session',
  description:
    'For administrators’ apps: open `Url` in a browser, and the console continues this session without another ' +
    'login, until the access token of this request expires. The code after the `#` works once, within a minute. ' +
    'Requires an access token: a browser session cannot be handed over.',
  access: 'admin session',
  recent: { never: 'the console in the same session has no more rights' },
  response: Type.Object({
    Url: Type.String({ description: 'The address to open, with `#HandoverCode=…`' }),
    ExpiresAt: Type.String({ format: 'date-time' }),
  }),
  errors: ['forbidden'],
  handler: async ({ caller, deps, request, refuse }) => {
    // An injected script must not be able to extract the session from its HttpOnly cookie.
    if (caller.via !== 'bearer') throw refuse('forbidden', 'A browser’s session cannot be handed over');
    const { origin } = browserSiteFor(deps.browser.sites, 'console');
    const { accountId, sessionId } = caller;
    const code = newInvitationToken();
    const stored = {
      ...({ codeHash: hashInvitationToken(code), purpose: 'hand-over', accountId, sessionId } as const),
      ...{ endsAt: endOfCredential(caller), lifetimeSeconds: CODE_SECONDS },
    };
    const expiresAt = await write(deps, asOwner(accountId, request), (tx) =>
      sessionCodes.insertForConsole(tx, stored),
    );
    if (expiresAt === undefined) throw refuse('forbidden', 'The session has ended');
    return { Url: `${origin}${CONSOLE_PATHS[0]}#HandoverCode=${code}`, ExpiresAt: expiresAt.toISOString() };
  },
});

export const exchangeConsoleHandover = route('POST /console/handover/exchange', {
  operationId: 'exchangeConsoleHandover',
  summary: 'Exchange a hand-over code for a session cookie of the console',
  description:
    'The cookie of a `HandoverCode` is for the session for which the code was created; a `SignOnCode` opens one, ' +
    'which replaces earlier ones like any login. Returns 409 if the browser is signed in to the console with ' +
    'another account.',
  access: 'public',
  body: Type.Object(
    {
      HandoverCode: Optional.String({ description: 'The code from an app, from the `#` of the address' }),
      SignOnCode: Optional.String({
        maxLength: 100,
        description: 'The code of a sign-on that this page began, from the `#` of the address',
      }),
    },
    { oneOfFields: { OfHandover: ['HandoverCode'], OfSignOn: ['SignOnCode'] } },
  ),
  response: ConsoleSession,
  headers: { response: { 'Set-Cookie': 'The session cookie' } },
  errors: ['invalid_code', 'conflict', 'session_exists', 'cross_site', 'too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const site = browserSiteForLogin(deps.browser.sites, 'console', request);
    const cookie = browserCookieOf(request, [site]);
    const { code, purpose } = codeOf(body);
    const presented = {
      code,
      present: cookie && deps.browser.sessions.read('console', cookie.value),
      addressGroup: request.addressGroup,
    };
    const taken =
      purpose === 'hand-over'
        ? await takeConsoleCode(deps, presented, request)
        : await takeSignOn(deps, { ...presented, purpose }, request);
    if (taken.kind === 'previewed') throw new Error('nothing was to be previewed');
    switch (taken.kind) {
      case 'taken': {
        const { accountId, sessionId } = taken;
        request.addToLog({ accountId, sessionId });
        const session = await consoleSessionOf(deps, taken);
        if (session === undefined) throw refuse('invalid_code');
        const line = sessionCookie(deps, site, taken);
        return reply({ headers: { 'Set-Cookie': line }, body: session });
      }
      case 'elsewhere':
        throw refuse('conflict', 'This browser is signed in with another account');
      case 'exists':
        throw sessionExists(refuse, taken);
      case 'throttled':
        throw tooManyFailures(refuse, taken);
      case 'failed':
        throw refuse('invalid_code');
    }
  },
});

/** A code is valid only for its purpose: anyone can put an app's into a link, a sign-on's belongs to the page that began it. */
function codeOf({ HandoverCode, SignOnCode }: { HandoverCode?: string; SignOnCode?: string }) {
  if (HandoverCode !== undefined && SignOnCode === undefined)
    return { code: HandoverCode, purpose: 'hand-over' } as const;
  if (SignOnCode !== undefined && HandoverCode === undefined)
    return { code: SignOnCode, purpose: 'console' } as const;
  throw exactlyOneOf('HandoverCode', 'SignOnCode');
}

/** Uses up a code that opens the console and returns its session, if it is an administrator's and gives access now. */
async function takeConsoleCode(deps: Deps, presented: PresentedForSession, origin: RequestFacts) {
  return exchangeCode(deps, presented, {
    find: async (codeHash) => {
      const code = await sessionCodes.findForConsole(deps.db, codeHash, 'hand-over');
      return code && ofActiveSession(deps, code);
    },
    open: ({ session }, codeHash) =>
      handedOver(deps, session, origin, {
        admits: (account) => account?.role === 'Admin' && conditionOf(account) === undefined,
        use: (tx) => sessionCodes.use(tx, 'console_code', codeHash),
      }),
  });
}
