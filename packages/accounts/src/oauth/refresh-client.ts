import type { ClientTokens } from '@gatehouse/auth-core';
import { clientSessions, sessionRefresh, type ClientRefreshState, type OAuthClient } from '@gatehouse/db';
import { Unavailable } from '@gatehouse/runtime';
import type { AccountsDeps, Origin, RefreshDeps } from '../deps.ts';
import { wasSeenSince } from '../session/refresh/refresh.ts';
import { endClientSession } from './end-client-session.ts';
import { INVALID_GRANT, type ClientGrantResult } from './exchange-authorization-code.ts';
import { isRenewable, issueClientTokens } from './issue-client-tokens.ts';
import { narrowScopes } from './scopes.ts';

export interface ShownRefreshToken {
  refreshToken: string;
  scope: string | undefined;
  resource: string | undefined;
}

type Deps = RefreshDeps &
  Pick<AccountsDeps, 'clientRefreshTokens' | 'rotateClient'> & { clientTokens: ClientTokens };

/**
 * Returns new tokens for a client's refresh token (RFC 6749 §6). They rotate as those of sessions do (`refresh`): a genuine
 * token that is not the client's any more ends the client session. The user's session lives on, as it is seen.
 */
export async function refreshClient(
  deps: Deps,
  client: OAuthClient,
  shown: ShownRefreshToken,
  origin: Origin,
): Promise<ClientGrantResult> {
  const read = deps.clientRefreshTokens.read(shown.refreshToken);
  if (read === undefined) return INVALID_GRANT;
  const { REFRESH_GRACE_SECONDS: graceSeconds, SESSION_IDLE_SECONDS: idleSeconds } = deps.settings;
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const rotated = await deps.rotateClient({ ...read, clientId: client.id }, origin);
    if (rotated !== undefined) {
      if (!isRenewable(client, rotated)) return INVALID_GRANT;
      if (shown.resource !== undefined && shown.resource !== rotated.resource)
        return { kind: 'error', error: 'invalid_target' };
      const scopes = narrowScopes(shown.scope, rotated.scopes);
      if (scopes === undefined) return { kind: 'error', error: 'invalid_scope' };
      deps.activity.count('refresh');
      const [tokens] = await Promise.all([
        issueClientTokens(deps, client, rotated, { scopes, refreshNonce: rotated.successor }),
        deps.sessionCache.keepAlive(rotated.accountId, rotated.sessionId),
      ]);
      return { kind: 'issued', tokens };
    }

    const held = await clientSessions.findRefreshState(deps.db, read.sessionId, { graceSeconds });
    // What another client shows was copied from its owner, who did nothing wrong and keeps it.
    if (held === undefined || held.clientId !== client.id) return INVALID_GRANT;
    const session = await sessionRefresh.findRefreshState(deps.db, held.sessionId, {
      graceSeconds,
      idleSeconds,
    });
    if (session === undefined || session.isEnded) return INVALID_GRANT;
    if (!isKnown(held, read.nonce)) {
      await endClientSession(deps, { client, id: read.sessionId }, 'app.token-reused', origin);
      return INVALID_GRANT;
    }
    const isLetIn = (await clientSessions.findLetIn(deps.db, read.sessionId)) !== undefined;
    const isAlive = !session.isLapsed || (await wasSeenSince(deps, session, held.sessionId, origin));
    if (!isLetIn || !isAlive) return INVALID_GRANT;
    // The token is valid by now: another request has rotated meanwhile, or the session was seen. Try again.
  }
  throw new Unavailable('session');
}

const LOOKS_MAX = 3;

function isKnown({ overtaken, current, next }: ClientRefreshState, nonce: Buffer): boolean {
  return [...overtaken, current, next].some((known) => known.equals(nonce));
}
