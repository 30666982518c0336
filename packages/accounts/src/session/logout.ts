import { audit, clientSessions, inTransaction, type OAuthClient } from '@gatehouse/db';
import type { AccountsDeps, Origin, SessionDeps } from '../deps.ts';
import { LOGOUT } from './session-source.ts';
import { asOwner, write } from './write.ts';

export async function logout(
  deps: SessionDeps,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  origin: Origin,
): Promise<void> {
  const target = { kind: 'session', sessionId, ofAccountId: accountId } as const;
  await write(deps, asOwner(accountId, origin), (tx) => tx.endSessions(target, LOGOUT));
}

/** Its refresh and access tokens stop working at once, and it is told, unless it has asked for this itself. */
export async function endClientSession(
  { db, relay }: Pick<AccountsDeps, 'db' | 'relay'>,
  { client, id }: { client: Pick<OAuthClient, 'id'>; id: string },
  reason: 'by_application' | 'token_reused',
  origin: Origin,
): Promise<void> {
  await inTransaction(db, origin, async (tx) => {
    audit.setAuthor(tx, { actor: { kind: 'Account' }, origin });
    const ended = await clientSessions.removeOfClient(tx, { id, clientId: client.id, reason });
    if (ended === undefined || reason === 'by_application') return;
    const actor = { kind: 'Account', id: ended.accountId } as const;
    const target = { kind: 'OauthClient', id: client.id } as const;
    const details = { SessionId: ended.sessionId };
    await audit.append(tx, [{ action: 'app.token-reused', actor, target, details }], origin);
  });
  relay.wake();
}
