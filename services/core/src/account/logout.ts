import { logout } from '@gatehouse/accounts';
import { browserSiteFor, reply, SIGNED_OUT_HEADERS, signedOutHeaders } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const logoutSession = route({
  method: 'post',
  path: '/account/logout',
  operationId: 'logout',
  tag: 'Sessions',
  summary: 'Log out',
  description: 'Ends the session. Its access and refresh tokens, and its cookie, stop working immediately.',
  access: 'session',
  body: Type.Object({}),
  response: Type.Object({}),
  headers: { response: SIGNED_OUT_HEADERS },
  handler: async ({ caller, deps, request }) => {
    await logout(deps, caller, request);
    if (caller.via !== 'cookie') return {};
    const site = browserSiteFor(deps.browser.sites, caller.purpose);
    return reply({ headers: signedOutHeaders(site), body: {} });
  },
});
