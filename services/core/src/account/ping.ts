import { ping } from '@gatehouse/accounts';
import { Integers, PingStatus, Type, Uuid } from '@gatehouse/schema';
import { ReplacedBy, replacedByOf } from '@gatehouse/http';
import { route } from '../deps.ts';

export const pingSession = route({
  method: 'post',
  path: '/account/ping',
  operationId: 'pingSession',
  tag: 'Sessions',
  summary: 'Keep the session alive and get its status',
  description: 'Also responds to a valid, unexpired token whose session was ended by someone else.',
  access: 'token',
  rules: { isFrequent: true },
  body: Type.Object({
    ContentDefinitionId: Type.Optional(Uuid()),
  }),
  response: Type.Object({
    PingStatus: Integers(PingStatus, 'PingStatus'),
    ReplacedBy: Type.Optional(ReplacedBy),
  }),
  errors: ['session_ended'],
  handler: async ({ body, caller, deps, refuse }) => {
    if (caller.kind === 'service') return { PingStatus: PingStatus.Normal };
    const pinged = await ping(deps, caller, body.ContentDefinitionId);
    if (pinged.kind === 'refused') throw refuse(pinged.code);
    const replacedBy = replacedByOf(pinged.replacedBy);
    return { PingStatus: pinged.status, ...(replacedBy && { ReplacedBy: replacedBy }) };
  },
});
