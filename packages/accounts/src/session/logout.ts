import { SessionStatus } from '@gatehouse/schema';
import {
  audit,
  clientSessions,
  inTransaction,
  userSessions,
  type OAuthClient,
  type Transaction,
} from '@gatehouse/db';
import type { AccountsDeps, Origin, SessionDeps } from '../deps.ts';
import { LOGOUT } from './session-source.ts';
import { tagFact } from './slots/tag-fact.ts';
import { endSessions, publishSessions } from './open-and-end.ts';

/** Ends the session of the request. */
export async function logout(
  deps: SessionDeps,
  session: { accountId: string; sessionId: string },
  origin: Origin,
): Promise<void> {
  await end(deps, session, origin, () => Promise.resolve());
}

/**
 * Ends one of the owner's sessions from another one, and records this in the audit; `false` if the account has no such
 * active session.
 */
export async function endOwnSession(
  deps: SessionDeps,
  session: { accountId: string; sessionId: string },
  origin: Origin,
): Promise<boolean> {
  const actor = { kind: 'Account', id: session.accountId } as const;
  const target = { kind: 'UserSession', id: session.sessionId } as const;
  return end(deps, session, origin, async (tx) => {
    const [ended] = await userSessions.findStates(tx, [session.sessionId]);
    const details = tagFact(ended?.tag ?? '');
    await audit.append(tx, [{ action: 'session.ended', actor, target, details }], origin);
  });
}

async function end(
  deps: SessionDeps,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  origin: Origin,
  record: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  const change = { status: SessionStatus.Expired, reason: LOGOUT, changedBy: accountId } as const;
  const target = { kind: 'session', sessionId, ofAccountId: accountId } as const;
  const ended = await inTransaction(deps.db, origin, async (tx) => {
    const ids = await endSessions(deps, tx, target, change, origin);
    if (ids.length > 0) await record(tx);
    return ids;
  });
  await publishSessions(deps, ended);
  return ended.length > 0;
}

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
