import { ping } from '@gatehouse/accounts';
import { Integers, PingStatus, Type, Uuid } from '@gatehouse/schema';
import { ApiError } from '@gatehouse/http';
import { route } from '../deps.ts';

export const pingSession = route({
  method: 'post',
  path: '/account/ping',
  operationId: 'pingSession',
  tag: 'Sessions',
  summary: 'Keep the session alive and get its status',
  description: 'Also answers for a valid, unexpired token whose session was ended by someone else.',
  access: 'token',
  body: Type.Object({
    ContentDefinitionId: Type.Optional(Uuid()),
  }),
  response: Type.Object({ PingStatus: Integers(PingStatus) }),
  handler: async ({ body, caller, deps }) => {
    if (caller.kind === 'service') return { PingStatus: PingStatus.Normal };
    const status = await ping(deps, caller, body.ContentDefinitionId);
    if (typeof status === 'string') throw new ApiError(status);
    return { PingStatus: status };
  },
});
