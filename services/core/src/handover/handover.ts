import {
  asOwner,
  CODE_SECONDS,
  exchangeCode,
  handedOver,
  isGuestLoginCode,
  isSignOnCode,
  ofActiveSession,
  refusalOfEnded,
  sessionCookie,
  takeGuestLogin,
  takeSignOn,
  write,
} from '@gatehouse/accounts';
import type { CodeExchange, PresentedForSession } from '@gatehouse/accounts';
import {
  endOfCredential,
  hashInvitationToken,
  isChallengeOf,
  newInvitationToken,
} from '@gatehouse/auth-core';
import { accounts, sessionCodes } from '@gatehouse/db';
import {
  browserCookieOf,
  browserSiteFor,
  browserSiteForLogin,
  invalidRequest,
  refusedCaller,
  reply,
  SESSION_REFUSALS,
  sessionExists,
  tooManyFailures,
  type RequestFacts,
} from '@gatehouse/http';
import { Enum, Optional, PAGE_PATHS, Type } from '@gatehouse/schema';
import type { FaultCode, PageFragment, Static } from '@gatehouse/schema';
import { routeOf, type Deps } from '../deps.ts';

const route = routeOf({ tag: 'Sessions' });

const HandoverRequest = Type.Object(
  {
    Page: Type.Optional(
      Enum(['profile', 'security', 'sessions', 'data'], {
        description: 'The account page to open. Defaults to `profile`.',
      }),
    ),
    ReturnUrl: Optional.String({
      maxLength: 2048,
      description: 'One of `RETURN_URLS`, exactly as configured',
    }),
    State: Optional.String({
      minLength: 22,
      maxLength: 86,
      pattern: /^[A-Za-z0-9_-]+$/.source,
      description: 'A random value that the app compares; returned in `Url`. Only with `ReturnUrl`',
    }),
    CodeChallenge: Optional.String({
      maxLength: 43,
      pattern: /^[A-Za-z0-9_-]{43}$/.source,
      description:
        'The SHA-256 of a `CodeVerifier` in base64url, which the exchange then requires (PKCE, RFC 7636, ' +
        'method S256). Only with `ReturnUrl`',
    }),
  },
  { examples: [{ Page: 'security' }] },
);

/** A session that goes on in a browser: an app has a code for it, which the page of its link exchanges for a cookie. */
export const handoverRoutes = [
  route('POST /account/handover', {
    operationId: 'handOverSession',
    summary: 'Open the account pages in the same session',
    description:
      'Open `Url` in a browser: its page exchanges the code after the `#` for a cookie of this session. The ' +
      'code works once, within a minute, and the cookie expires with the access token of this request. With ' +
      '`ReturnUrl`, which must be in `RETURN_URLS`, the code and `State` go to that address; with ' +
      '`CodeChallenge`, the exchange requires its verifier.',
    access: 'session',
    body: HandoverRequest,
    response: Type.Object({
      Url: Type.String({ description: 'The address to open, with `#HandoverCode=…`' }),
      ExpiresAt: Type.String({ format: 'date-time' }),
    }),
    errors: ['forbidden', ...SESSION_REFUSALS],
    handler: async ({ body, caller, deps, request, refuse }) => {
      browserSiteFor(deps.browser.sites, 'pages');
      const target = targetOf(deps, body);
      const { accountId, sessionId } = caller;
      const code = newInvitationToken();
      const ofCredential = endOfCredential(caller);
      const ofApp = Math.floor(deps.now() / 1000) + deps.settings.ACCESS_TOKEN_SECONDS;
      const stored = {
        codeHash: hashInvitationToken(code),
        ...{ accountId, sessionId },
        // Otherwise a stolen access token would last as long as the session. An app's cookie never lasts longer than one.
        endsAt: body.ReturnUrl === undefined ? ofCredential : Math.min(ofCredential ?? ofApp, ofApp),
        codeChallenge: body.CodeChallenge,
        lifetimeSeconds: CODE_SECONDS,
      };
      // Read from Postgres: a code must not outlive a session of which a forged copy is in the cache.
      const expiresAt = await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await accounts.findById(tx, accountId);
        if (account?.isService === true)
          throw refuse('forbidden', 'Service accounts cannot use the account pages');
        return sessionCodes.insertForPages(tx, stored);
      });
      if (expiresAt === undefined) throw refusedCaller(refuse, await refusalOfEnded(deps, sessionId));
      const state = body.State !== undefined && { State: body.State };
      const fragment: PageFragment = { HandoverCode: code, ...state };
      const Url = `${target}#${new URLSearchParams(fragment).toString()}`;
      return { Url, ExpiresAt: expiresAt.toISOString() };
    },
  }),

  route('POST /account/handover/exchange', {
    operationId: 'exchangeHandover',
    summary: 'Exchange a hand-over code for a session cookie',
    description:
      'The cookie is for the session for which the code was created, and expires with the access token that ' +
      'requested the code. The code of a single sign-on, or of `POST /account/register-guest`, opens a session, which ' +
      'replaces earlier ones like any login. ' +
      'Returns 409 if the browser is signed in with another account, unless `InPlaceOfOthers` is true.',
    access: 'public',
    body: Type.Object({
      HandoverCode: Type.String({ description: 'The code from the `#` of the address' }),
      CodeVerifier: Optional.String({
        minLength: 43,
        maxLength: 128,
        pattern: /^[A-Za-z0-9._~-]+$/.source,
        examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
        description:
          'The verifier of the `CodeChallenge` with which the code was requested; required if there was one',
      }),
      DryRun: Optional.Boolean({
        description:
          'Whether to return whose session it is instead, for a page that asks before it continues',
      }),
      KeepSignedIn: Optional.Boolean({
        description: 'Whether the browser keeps the cookie when it is closed',
      }),
      InPlaceOfOthers: Optional.Boolean({
        description:
          'Whether it may replace another account’s session. Only for a page that started the sign-on itself, ' +
          'not for links',
      }),
    }),
    response: Type.Object({
      Email: Type.String({ description: 'The email address of the session’s account' }),
    }),
    status: {
      200: 'Success',
      204: 'The cookie is set; with `DryRun` the response is 200, and the code can still be used',
    },
    headers: { response: { 'Set-Cookie': 'The session cookie' } },
    errors: ['invalid_code', 'conflict', 'session_exists', 'cross_site', 'too_many_requests'],
    handler: async ({ body, deps, request, refuse }) => {
      const site = browserSiteForLogin(deps.browser.sites, 'pages', request);
      const cookie = body.InPlaceOfOthers === true ? undefined : browserCookieOf(request, [site]);
      const presented = {
        code: body.HandoverCode,
        codeVerifier: body.CodeVerifier,
        isPreview: body.DryRun,
        present: cookie && deps.browser.sessions.read('pages', cookie.value),
        addressGroup: request.addressGroup,
      };
      const taken = isGuestLoginCode(body.HandoverCode)
        ? await takeGuestLogin(deps, presented, request)
        : isSignOnCode(body.HandoverCode)
          ? await takeSignOn(deps, { ...presented, purpose: 'pages' }, request)
          : await takeOver(deps, presented, request);
      switch (taken.kind) {
        case 'taken': {
          const { accountId, sessionId } = taken;
          request.addToLog({ accountId, sessionId });
          // A code that the page did not ask for itself may come from anybody’s sign-on.
          const isHandedOver = taken.isHandedOver === true || body.InPlaceOfOthers !== true;
          const line = sessionCookie(deps, site, { ...taken, isHandedOver }, { isKept: body.KeepSignedIn });
          return reply({ status: 204, headers: { 'Set-Cookie': line } });
        }
        case 'previewed':
          return { Email: taken.email };
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
  }),
];

const PAGES = {
  profile: PAGE_PATHS.profile,
  security: PAGE_PATHS.profileSecurity,
  sessions: PAGE_PATHS.profileSessions,
  data: PAGE_PATHS.profileData,
} as const;

/** The redirect target. Only configured addresses are allowed, as the code can be exchanged for a session. */
function targetOf(
  { publicUrl, pages: { returnUrls } }: Pick<Deps, 'publicUrl' | 'pages'>,
  { Page: page, ReturnUrl: returnUrl, State, CodeChallenge }: Static<typeof HandoverRequest>,
): string {
  for (const [name, value] of Object.entries({ State, CodeChallenge }))
    if (value !== undefined && returnUrl === undefined)
      throw unfit(`/${name}`, 'goes with ReturnUrl alone', 'does_not_go_with');
  if (returnUrl === undefined) return publicUrl.replace(/\/$/, '') + PAGES[page ?? 'profile'];
  if (page !== undefined) throw unfit('/ReturnUrl', 'cannot be combined with Page', 'does_not_go_with');
  if (returnUrls.includes(returnUrl)) return returnUrl;
  throw unfit('/ReturnUrl', 'must be an address of RETURN_URLS', 'unknown_object');
}

function unfit(pointer: string, message: string, code: FaultCode) {
  return invalidRequest('The request failed validation', { errors: [{ pointer, message, code }] });
}

/** Wrong verifiers count like wrong codes, and use up no code: whoever has seen only it cannot make it useless. */
async function takeOver(
  deps: Deps,
  { codeVerifier, ...presented }: PresentedForSession & { codeVerifier?: string | undefined },
  origin: RequestFacts,
): Promise<CodeExchange> {
  return exchangeCode(deps, presented, {
    find: async (codeHash) => {
      const code = await sessionCodes.findForPages(deps.db, codeHash);
      if (code === undefined || !isVerified(code.codeChallenge, codeVerifier)) return undefined;
      return ofActiveSession(deps, code);
    },
    open: ({ session }, codeHash) =>
      handedOver(deps, session, origin, {
        admits: (account) => account?.isService === false,
        use: (tx) => sessionCodes.use(tx, 'handover_code', codeHash),
      }),
  });
}

/**
 * A verifier without a challenge is refused, too: otherwise an app's server, which always sends one, would exchange an
 * attacker's code that was requested without (RFC 9700, section 2.1.1).
 */
function isVerified(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  return isChallengeOf(verifier, challenge);
}
