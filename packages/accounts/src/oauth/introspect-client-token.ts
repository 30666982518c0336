import type { OAuthClient } from '@gatehouse/db';
import { findClientToken, type FoundClientToken } from './find-client-token.ts';

/**
 * A valid access token, for a client that it was issued to, or whose API it is for (RFC 7662 §2); `undefined` for anything
 * else, so that nobody learns whether another client's token is genuine.
 */
export async function introspectClientToken(
  deps: Parameters<typeof findClientToken>[0],
  caller: Pick<OAuthClient, 'id' | 'resources'>,
  token: string,
): Promise<FoundClientToken | undefined> {
  const found = await findClientToken(deps, token);
  if (found.kind === 'refused') return undefined;
  const { audience, clientId } = found.claims;
  const isItsOwn = clientId === caller.id || audience === caller.id || caller.resources.includes(audience);
  return isItsOwn ? found : undefined;
}
