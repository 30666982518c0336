import { areWithin } from '@gatehouse/auth-core';
import { apiTokens, audit, inTransaction, type Actor, type ApiToken } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';
import { auditedToken, boundsOf } from './token-bounds.ts';

/** `ended`: the token was already revoked, expired or replaced. */
export type RotatedToken =
  { kind: 'rotated'; kept: ApiToken; token: string } | { kind: 'unknown' } | { kind: 'ended' };

/**
 * Replaces a token with a new one that has the same name, role and networks, and, if the older token had an expiry, the
 * same lifetime from now on. The older token works for `overlapSeconds` more, but not beyond its own expiry. A token that
 * rotates another one, or itself, passes on its own restrictions where those of the older token go beyond them.
 */
export async function rotateStaticToken(
  deps: Pick<AccountsDeps, 'db' | 'staticTokens'>,
  {
    id,
    overlapSeconds,
    actor,
  }: { id: string; overlapSeconds: number; actor: Exclude<Actor, { kind: 'System' }> },
  origin: Origin,
): Promise<RotatedToken> {
  const { token, hash, prefix } = deps.staticTokens.issue();
  return inTransaction(deps.db, origin, async (tx): Promise<RotatedToken> => {
    // Of two concurrent calls, the second waits here and then finds the token replaced.
    const older = await apiTokens.lock(tx, id);
    if (older === undefined) return { kind: 'unknown' };
    if (older.isEnded || older.replacedBy !== null) return { kind: 'ended' };
    const { name, role, lifetimeSeconds } = older;
    const bounds = await boundsOf(tx, actor);
    const networks = areWithin(older.networks, bounds.networks) ? older.networks : bounds.networks;
    const lifetime = { lifetimeSeconds, expiresAtMost: bounds.expiresAt };
    const fresh = { id: newId(), name, prefix, role, networks, ...lifetime, createdBy: actor.id, hash };
    const kept = await apiTokens.insert(tx, fresh);
    await apiTokens.replace(tx, id, { by: kept.id, overlapSeconds });
    const target = (tokenId: string) => ({ kind: 'ApiToken', id: tokenId }) as const;
    const rotated = { ReplacedBy: kept.id, OverlapSeconds: overlapSeconds };
    await audit.append(
      tx,
      [
        { action: 'api-token.rotated', actor, target: target(id), details: rotated },
        { action: 'api-token.created', actor, target: target(kept.id), details: auditedToken(kept) },
      ],
      origin,
    );
    return { kind: 'rotated', kept, token };
  });
}
