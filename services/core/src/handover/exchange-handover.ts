import {
  isGuestLoginCode,
  isSignOnCode,
  sessionCookie,
  takeGuestLogin,
  takeOver,
  takeSignOn,
} from '@gatehouse/accounts';
import { browserCookieOf, browserSiteForLogin, reply, sessionExists, tooManyFailures } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const exchangeHandover = route({
  method: 'post',
  path: '/account/handover/exchange',
  operationId: 'exchangeHandover',
  tag: 'Sessions',
  summary: 'Exchange a hand-over code for a session cookie',
  description:
    'The cookie is for the session for which the code was created, and expires with the access token that ' +
    'requested the code. The code of a single sign-on, or of `POST /account/register-guest`, opens a session, which ' +
    'replaces earlier ones like any login. ' +
    'Returns 409 if the browser is signed in with another account, unless `InPlaceOfOthers` is true.',
  access: 'public',
  body: Type.Object({
    HandoverCode: Type.String({ description: 'The code from the `#` of the address' }),
    CodeVerifier: Type.Optional(
      Type.String({
        minLength: 43,
        maxLength: 128,
        pattern: /^[A-Za-z0-9._~-]+$/.source,
        examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
        description:
          'The verifier of the `CodeChallenge` with which the code was requested; required if there was one',
      }),
    ),
    DryRun: Type.Optional(
      Type.Boolean({
        description:
          'Whether to return whose session it is instead, for a page that asks before it continues',
      }),
    ),
    KeepSignedIn: Type.Optional(
      Type.Boolean({ description: 'Whether the browser keeps the cookie when it is closed' }),
    ),
    InPlaceOfOthers: Type.Optional(
      Type.Boolean({
        description:
          'Whether it may replace another account’s session. Only for a page that started the sign-on itself, ' +
          'not for links',
      }),
    ),
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
});
