import { areWithin, type StaticTokenSource } from '@gatehouse/auth-core';
import { apiTokens, audit, inTransaction, type Actor, type ApiToken, type Db } from '@gatehouse/db';
import type { StaticTokenRole } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';
import { auditedToken, boundsOf } from './token-bounds.ts';

/** `exceeds`: the field goes beyond the restrictions of the token that was used to create it. */
export type CreatedToken =
  { kind: 'created'; kept: ApiToken; token: string } | { kind: 'exceeds'; field: 'Networks' | 'ExpiresAt' };

/**
 * Creates a static API token. Only this result contains the token itself. A token that another one creates gets the
 * restrictions of the other, or tighter ones.
 */
export async function createStaticToken(
  deps: Pick<AccountsDeps, 'db' | 'staticTokens'>,
  wanted: {
    name: string;
    role: StaticTokenRole;
    actor: Actor;
    expiresAt?: Date | undefined;
    networks?: readonly string[] | undefined;
  },
  origin: Origin,
): Promise<CreatedToken> {
  const { name, role, actor, expiresAt, networks } = wanted;
  const { token, hash, prefix } = deps.staticTokens.issue();
  const createdBy = actor.kind === 'System' ? null : actor.id;
  return inTransaction(deps.db, origin, async (tx): Promise<CreatedToken> => {
    const bounds = await boundsOf(tx, actor);
    if (networks !== undefined && !areWithin(networks, bounds.networks)) {
      return { kind: 'exceeds', field: 'Networks' };
    }
    if (expiresAt !== undefined && bounds.expiresAt !== null && expiresAt > bounds.expiresAt) {
      return { kind: 'exceeds', field: 'ExpiresAt' };
    }
    const kept = await apiTokens.insert(tx, {
      id: newId(),
      name,
      prefix,
      role,
      createdBy,
      hash,
      expiresAt,
      expiresAtMost: bounds.expiresAt,
      networks: networks === undefined ? bounds.networks : [...networks],
    });
    const target = { kind: 'ApiToken', id: kept.id } as const;
    const details = auditedToken(kept);
    await audit.append(tx, [{ action: 'api-token.created', actor, target, details }], origin);
    return { kind: 'created', kept, token };
  });
}

/**
 * Revokes a static API token: no process accepts it after half a second. Revoking it again changes nothing; `false` if
 * there never was a token with that id.
 */
export async function revokeStaticToken(
  deps: Pick<AccountsDeps, 'db' | 'staticTokens'>,
  { id, actor }: { id: string; actor: Actor },
  origin: Origin,
): Promise<boolean> {
  return inTransaction(deps.db, origin, async (tx) => {
    if (!(await apiTokens.revoke(tx, id))) return apiTokens.exists(tx, id);
    await audit.append(
      tx,
      [{ action: 'api-token.revoked', actor, target: { kind: 'ApiToken', id } }],
      origin,
    );
    return true;
  });
}

/** Reads static API tokens from Postgres. */
export function staticTokenSourceOf(db: Db): StaticTokenSource {
  return (hashes) => apiTokens.findByHashes(db, hashes);
}
