import { sessionCookie, takeOver } from '@gatehouse/accounts';
import { addressGroup, browserSiteForLogin, reply, tooManyFailures } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const exchangeHandover = route({
  method: 'post',
  path: '/account/handover/exchange',
  operationId: 'exchangeHandover',
  tag: 'Sessions',
  summary: 'Exchange a hand-over code for a session cookie',
  description: 'The cookie is for the session that the code was made for. No session is opened or replaced.',
  access: 'public',
  body: Type.Object({
    HandoverCode: Type.String({ description: 'From the address behind the `#`' }),
    KeepSignedIn: Type.Optional(
      Type.Boolean({ description: 'Whether the browser keeps the cookie when it is closed' }),
    ),
  }),
  responseHeaders: { 'Set-Cookie': 'The session cookie' },
  errors: ['invalid_code', 'cross_site', 'too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const site = browserSiteForLogin(deps.browser.sites, 'pages', request);
    const shown = { code: body.HandoverCode, addressGroup: addressGroup(request.address) };
    const taken = await takeOver(deps, shown, request);
    switch (taken.kind) {
      case 'taken': {
        const { accountId, sessionId } = taken;
        request.note({ accountId, sessionId });
        const cookie = sessionCookie(deps, site, { accountId, sessionId }, { isKept: body.KeepSignedIn });
        return reply({ status: 204, headers: { 'Set-Cookie': cookie } });
      }
      case 'throttled':
        throw tooManyFailures(refuse, taken);
      case 'failed':
        throw refuse('invalid_code');
    }
  },
});
