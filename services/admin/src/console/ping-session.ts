import { ping } from '@gatehouse/accounts';
import { Integers, PingStatus, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const pingConsoleSession = route({
  method: 'post',
  path: '/console/session/ping',
  operationId: 'pingConsoleSession',
  tag: 'Console',
  summary: 'Keep the session of the console alive',
  access: 'admin session',
  recent: { never: 'it only keeps the caller’s own session alive' },
  response: Type.Object({ PingStatus: Integers(PingStatus, 'PingStatus') }),
  errors: ['session_ended'],
  handler: async ({ caller, deps, refuse }) => {
    const pinged = await ping(deps, caller, undefined);
    if (pinged.kind === 'refused') throw refuse(pinged.code);
    return { PingStatus: pinged.status };
  },
});
