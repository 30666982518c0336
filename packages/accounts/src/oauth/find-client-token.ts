import type { ClientTokenClaims, ClientTokens, TokenRefusal } from '@gatehouse/auth-core';
import { clientSessions, oauthClients, type ClientSession } from '@gatehouse/db';
import { refusalOf, type RefusalCode } from '@gatehouse/redis';
import type { AccountsDeps } from '../deps.ts';

/** A valid access token of a client, and what it has of whose session; without a session it is the client's own. */
export interface FoundClientToken {
  kind: 'found';
  claims: ClientTokenClaims;
  session: ClientSession | undefined;
  /** Those of the token that the client may still have. */
  scopes: readonly string[];
}

type Deps = Pick<AccountsDeps, 'db' | 'sessionCache' | 'settings'> & { clientTokens: ClientTokens };

/**
 * Checks an access token of a client: that it is genuine, that its session is active by the cached copy that every request
 * reads, and that the client still lets the person in.
 */
export async function findClientToken(
  { db, sessionCache, settings, clientTokens }: Deps,
  token: string,
): Promise<FoundClientToken | TokenRefusal | { kind: 'refused'; code: RefusalCode }> {
  const claims = await clientTokens.verifyAccessToken(token);
  if (claims.kind === 'refused') return claims;
  const { account, clientId } = claims;
  if (account === undefined) {
    const client = await oauthClients.find(db, clientId);
    if (client?.grantTypes.includes('client_credentials') !== true) return ENDED;
    return { kind: 'found', claims, session: undefined, scopes: narrowed(claims, client) };
  }
  const copy = await sessionCache.read(account.accountId, account.sessionId);
  if (copy === undefined) return ENDED;
  const code = refusalOf(copy, settings.SESSION_IDLE_SECONDS);
  if (code !== undefined) return { kind: 'refused', code };
  const session = await clientSessions.findLetIn(db, account.clientSessionId);
  const isItsOwn =
    session?.clientId === clientId &&
    session.sessionId === account.sessionId &&
    session.accountId === account.accountId;
  return isItsOwn ? { kind: 'found', claims, session, scopes: narrowed(claims, session) } : ENDED;
}

const ENDED = { kind: 'refused', code: 'session_ended' } as const;

function narrowed(claims: ClientTokenClaims, { scopes }: { scopes: readonly string[] }): string[] {
  return claims.scopes.filter((scope) => scopes.includes(scope));
}
