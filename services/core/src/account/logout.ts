import { logout } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const logoutSession = route({
  method: 'post',
  path: '/account/logout',
  operationId: 'logout',
  tag: 'Sessions',
  summary: 'End the session',
  description: 'Its access and refresh tokens stop working at once.',
  access: 'session',
  body: Type.Object({}),
  response: Type.Object({}),
  handler: async ({ caller, deps, request }) => {
    await logout(deps, caller, request);
    return {};
  },
});
