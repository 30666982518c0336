import { endOwnSession } from '@gatehouse/accounts';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';

export const endSession = route({
  method: 'delete',
  path: '/account/session/:id',
  operationId: 'endOwnSession',
  tag: 'Sessions',
  summary: 'End one of your sessions',
  description: 'Same as logging out of that session: its tokens stop working immediately.',
  access: 'session',
  params: Type.Object({ id: Uuid() }),
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const session = { accountId: caller.accountId, sessionId: params.id };
    const isEnded = await endOwnSession(deps, session, request);
    if (!isEnded) throw refuse('not_found');
    return undefined;
  },
});
