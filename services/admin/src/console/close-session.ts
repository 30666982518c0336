import { logout } from '@gatehouse/accounts';
import { browserSiteFor, reply, SIGNED_OUT_HEADERS, signedOutHeaders } from '@gatehouse/http';
import { route } from '../deps.ts';

export const closeConsoleSession = route({
  method: 'delete',
  path: '/console/session',
  operationId: 'closeConsoleSession',
  tag: 'Console',
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
