import type { StaticTokenSource } from '@gatehouse/auth-core';
import { apiTokens, audit, inTransaction, type Actor, type ApiToken, type Db } from '@gatehouse/db';
import type { StaticTokenRole } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';

/** Creates a static API token. Only this result contains the token itself. */
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
): Promise<{ kept: ApiToken; token: string }> {
  const { name, role, actor, expiresAt, networks } = wanted;
  const { token, hash, prefix } = deps.staticTokens.issue();
  const createdBy = actor.kind === 'System' ? null : actor.id;
  const kept = await inTransaction(deps.db, origin, async (tx) => {
    const row = await apiTokens.insert(tx, {
      id: newId(),
      name,
      prefix,
      role,
      createdBy,
      hash,
      expiresAt,
      networks: networks === undefined ? null : [...networks],
    });
    const target = { kind: 'ApiToken', id: row.id } as const;
    await audit.append(tx, [{ action: 'api-token.created', actor, target, details: { Role: role } }], origin);
    return row;
  });
  return { kept, token };
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
