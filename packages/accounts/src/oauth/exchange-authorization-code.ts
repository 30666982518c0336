import { hashInvitationToken, isChallengeOf, type ClientTokens } from '@gatehouse/auth-core';
import {
  accounts,
  audit,
  clientSessions,
  inTransaction,
  oauthClients,
  oauthCodes,
  type ClientSession,
  type OAuthClient,
  type OAuthCode,
} from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';
import { endClientSession } from './end-client-session.ts';
import { issueClientTokens, type ClientTokenSet } from './issue-client-tokens.ts';

export interface ShownAuthorizationCode {
  code: string;
  redirectUri: string | undefined;
  codeVerifier: string | undefined;
  resource: string | undefined;
}

/** The tokens for a grant, or the error of RFC 6749 §5.2 and RFC 8707 §2; `invalid_client`: it was just deleted. */
export type ClientGrantResult =
  | { kind: 'issued'; tokens: ClientTokenSet }
  | { kind: 'error'; error: 'invalid_client' | 'invalid_grant' | 'invalid_scope' | 'invalid_target' };

export const INVALID_GRANT: ClientGrantResult = { kind: 'error', error: 'invalid_grant' };

type Deps = Pick<AccountsDeps, 'db' | 'clientRefreshTokens' | 'settings'> & { clientTokens: ClientTokens };

/**
 * Exchanges an authorization code for tokens (RFC 6749 §4.1.3), once. A code that is shown with everything that belongs to it,
 * but was used before, is in two hands: what it opened ends. Shown without that, it changes nothing.
 */
export async function exchangeAuthorizationCode(
  deps: Deps,
  client: OAuthClient,
  shown: ShownAuthorizationCode,
  origin: Origin,
): Promise<ClientGrantResult> {
  const { db, clientRefreshTokens } = deps;
  const codeHash = hashInvitationToken(shown.code);
  const code = await oauthCodes.find(db, codeHash);
  if (code === undefined || !belongsTo(code, client, shown)) return INVALID_GRANT;
  if (shown.resource !== undefined && shown.resource !== code.resource)
    return { kind: 'error', error: 'invalid_target' };

  const [refreshCurrent, refreshNext] = [clientRefreshTokens.newNonce(), clientRefreshTokens.newNonce()];
  const opened =
    code.isLiving && code.clientSessionId === null
      ? await openClientSession(deps, { ...code, codeHash, refreshCurrent, refreshNext }, origin)
      : undefined;
  if (opened === undefined) {
    await endIfUsed(deps, client, codeHash, origin);
    const isDeleted = (await oauthClients.find(db, client.id)) === undefined;
    return isDeleted ? { kind: 'error', error: 'invalid_client' } : INVALID_GRANT;
  }
  const nonces = { refreshNonce: refreshCurrent, nonce: code.nonce ?? undefined };
  return { kind: 'issued', tokens: await issueClientTokens(deps, client, opened, nonces) };
}

/**
 * Whether a code was issued to this client, for this redirect URI, and to whoever has the verifier. A verifier for a
 * code that has no challenge is refused, too: somebody has taken the challenge out of the request (RFC 9700 §4.8.2).
 */
function belongsTo(
  code: OAuthCode,
  client: OAuthClient,
  { redirectUri, codeVerifier }: ShownAuthorizationCode,
): boolean {
  if (code.clientId !== client.id || code.redirectUri !== redirectUri) return false;
  if (code.codeChallenge === null || codeVerifier === undefined)
    return code.codeChallenge === null && codeVerifier === undefined;
  return VERIFIER.test(codeVerifier) && isChallengeOf(codeVerifier, code.codeChallenge);
}

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Uses up a code; `undefined` if it is used, its session has ended, or the client does not let the person in any more. */
async function openClientSession(
  { db, settings }: Deps,
  code: OAuthCode & Record<'codeHash' | 'refreshCurrent' | 'refreshNext', Buffer>,
  origin: Origin,
): Promise<ClientSession | undefined> {
  const id = newId();
  return inTransaction<ClientSession | undefined>(db, origin, async (tx, rollBack) => {
    await accounts.lockById(tx, code.accountId);
    const { clientId, accountId, sessionId } = code;
    if (!(await oauthClients.hold(tx, code))) return rollBack(undefined);
    const bounds = { idleSeconds: settings.SESSION_IDLE_SECONDS };
    const opened = await clientSessions.insert(tx, { ...code, id }, bounds);
    if (opened === undefined || !(await oauthCodes.use(tx, code.codeHash, id))) return rollBack(undefined);
    const actor = { kind: 'Account', id: accountId } as const;
    const target = { kind: 'OauthClient', id: clientId } as const;
    const details = { SessionId: sessionId, Scopes: opened.scopes };
    await audit.append(tx, [{ action: 'app.signed-in', actor, target, details }], origin);
    return opened;
  });
}

/** Ends what a code opened that was shown again. */
async function endIfUsed(deps: Deps, client: OAuthClient, codeHash: Buffer, origin: Origin): Promise<void> {
  const used = (await oauthCodes.find(deps.db, codeHash))?.clientSessionId;
  if (typeof used !== 'string') return;
  await endClientSession(deps, { client, id: used }, 'app.token-reused', origin);
}
