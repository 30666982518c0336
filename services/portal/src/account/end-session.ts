import { logout } from '@gatehouse/accounts';
import { audit } from '@gatehouse/db';
import { Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

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
    const actor = { kind: 'Account', id: caller.accountId } as const;
    const target = { kind: 'UserSession', id: params.id } as const;
    const isEnded = await logout(deps, session, request, (tx) =>
      audit.append(tx, [{ action: 'session.ended', actor, target }], request),
    );
    if (!isEnded) throw refuse('not_found');
    return undefined;
  },
});
