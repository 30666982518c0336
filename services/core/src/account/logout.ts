import { logout } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const logoutSession = route({
  method: 'post',
  path: '/account/logout',
  operationId: 'logout',
  tag: 'Sessions',
  summary: 'Log out',
  description: 'Ends the session. Its access and refresh tokens stop working immediately.',
  access: 'session',
  body: Type.Object({}),
  response: Type.Object({}),
  handler: async ({ caller, deps, request }) => {
    await logout(deps, caller, request);
    return {};
  },
});
