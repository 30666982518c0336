import { asOwner, LOGOUT, tagFact, write, type AccountsDeps, type Origin } from '@gatehouse/accounts';
import { userSessions } from '@gatehouse/db';
import { route } from '../../deps.ts';

export const endSession = route('DELETE /account/session/:id', {
  operationId: 'endOwnSession',
  tag: 'Sessions',
  summary: 'End one of your sessions',
  description: 'Same as logging out of that session: its tokens stop working immediately.',
  access: 'session',
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const session = { accountId: caller.accountId, sessionId: params.id };
    const isEnded = await endOwnSession(deps, session, request);
    if (!isEnded) throw refuse('not_found');
    return undefined;
  },
});

/**
 * Ends one of the owner's sessions from another one, and records this in the audit; `false` if the account has no such
 * active session.
 */
export async function endOwnSession(
  deps: AccountsDeps,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  origin: Origin,
): Promise<boolean> {
  const author = { ...asOwner(accountId, origin), target: { kind: 'UserSession', id: sessionId } as const };
  return write(deps, author, async (tx) => {
    const target = { kind: 'session', sessionId, ofAccountId: accountId } as const;
    const [id] = await tx.endSessions(target, LOGOUT);
    if (id === undefined) return false;
    const [ended] = await userSessions.findStates(tx, [id]);
    tx.audit('session.ended', tagFact(ended?.tag ?? ''));
    return true;
  });
}
