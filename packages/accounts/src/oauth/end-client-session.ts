import { audit, clientSessions, inTransaction, type OAuthClient } from '@gatehouse/db';
import type { AccountsDeps, Origin } from '../deps.ts';

/**
 * Signs a person out of an application: its refresh token and its access tokens stop working at once, and it is told,
 * unless it has asked for this itself. `action` says why in the audit, which has nothing of a client session that had
 * ended before.
 */
export async function endClientSession(
  { db }: Pick<AccountsDeps, 'db'>,
  { client, id }: { client: Pick<OAuthClient, 'id'>; id: string },
  action: 'app.signed-out' | 'app.token-reused',
  origin: Origin,
): Promise<void> {
  await inTransaction(db, origin, async (tx) => {
    const ended = await clientSessions.removeOfClient(tx, {
      id,
      clientId: client.id,
      byClient: action === 'app.signed-out',
    });
    if (ended === undefined) return;
    const actor = { kind: 'Account', id: ended.accountId } as const;
    const target = { kind: 'OauthClient', id: client.id } as const;
    const details = { SessionId: ended.sessionId };
    await audit.append(tx, [{ action, actor, target, details }], origin);
  });
}
