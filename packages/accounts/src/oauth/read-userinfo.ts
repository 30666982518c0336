import type { RefusalCode } from '@gatehouse/redis';
import type { TokenRefusal } from '@gatehouse/auth-core';
import { claimsOf } from './client-claims.ts';
import { findClientToken } from './find-client-token.ts';

/** `forbidden`: the token is not for this. */
export type Userinfo =
  | { kind: 'claims'; claims: Record<string, unknown> & { sub: string } }
  | { kind: 'forbidden' }
  | TokenRefusal
  | { kind: 'refused'; code: RefusalCode };

/**
 * What a client may know about the owner of its session (OpenID Connect Core §5.3). A token for another API does not
 * count: who runs that API has it too, and must not learn what only the client was told.
 */
export async function readUserinfo(
  deps: Parameters<typeof findClientToken>[0],
  token: string,
): Promise<Userinfo> {
  const found = await findClientToken(deps, token);
  if (found.kind === 'refused') return found;
  const { claims, session, scopes } = found;
  const isForClient = claims.audience === claims.clientId && scopes.includes('openid');
  if (session === undefined || !isForClient) return { kind: 'forbidden' };
  return { kind: 'claims', claims: { ...claimsOf(scopes, session), sub: session.accountId } };
}
