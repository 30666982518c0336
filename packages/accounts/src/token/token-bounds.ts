import { apiTokens, type Actor, type ApiToken, type Transaction } from '@gatehouse/db';

/** The restrictions of a token: `null` where there is none. */
export type TokenBounds = Pick<ApiToken, 'networks' | 'expiresAt'>;

/**
 * The restrictions of every token that the actor creates: those of the token that it uses. Otherwise a leaked token
 * could replace itself by one that works from everywhere and for ever.
 */
export async function boundsOf(tx: Transaction, actor: Actor): Promise<TokenBounds> {
  const token = actor.kind === 'ApiToken' ? await apiTokens.findById(tx, actor.id) : undefined;
  return { networks: token?.networks ?? null, expiresAt: token?.expiresAt ?? null };
}

/** What the audit says of a new token. */
export function auditedToken({ role, networks, expiresAt }: ApiToken): Record<string, unknown> {
  return {
    Role: role,
    ...(networks && { Networks: networks }),
    ...(expiresAt && { ExpiresAt: expiresAt.toISOString() }),
  };
}
