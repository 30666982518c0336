import { logout } from '@gatehouse/accounts';
import { browserSiteFor, reply, signedOutHeaders } from '@gatehouse/http';
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
  headers: {
    response: {
      'Set-Cookie': 'Removes the session cookie, if the request was made with one',
      'Clear-Site-Data': 'Clears what the browser has cached, in the same case',
    },
  },
  handler: async ({ caller, deps, request }) => {
    await logout(deps, caller, request);
    if (caller.via !== 'cookie') return reply({ status: 204 });
    const site = browserSiteFor(deps.browser.sites, caller.purpose);
    return reply({ status: 204, headers: signedOutHeaders(site) });
  },
});
