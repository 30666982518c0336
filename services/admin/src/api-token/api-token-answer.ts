import { STATIC_TOKEN_ROLES } from '@gatehouse/auth-core';
import type { ApiToken } from '@gatehouse/db';
import { NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';

/** What a token's bearer counts as. */
export const ApiTokenRole = NameOf(STATIC_TOKEN_ROLES);

/** A static API token as Admin shows it: never the token itself, nor its hash. */
export const ApiTokenAnswer = Type.Object(
  {
    Id: Uuid(),
    Name: Type.String(),
    Prefix: Type.String({ description: 'The first characters of the token' }),
    Role: ApiTokenRole,
    CreatedAt: Timestamp(),
    CreatedBy: Nullable(Uuid(), {
      description: 'The account or static token that created it',
    }),
    LastUsedAt: Nullable(Timestamp(), {
      description: 'Updated with a delay of a few seconds; null if never used',
    }),
    RevokedAt: Nullable(Timestamp(), { description: 'null if not revoked' }),
  },
  { title: 'ApiToken' },
);

/** The path's parameter. */
export const ApiTokenPath = Type.Object({ id: Uuid() });

export function apiTokenAnswer(token: ApiToken) {
  return {
    Id: token.id,
    Name: token.name,
    Prefix: token.prefix,
    Role: token.role,
    CreatedAt: token.createdAt.toISOString(),
    CreatedBy: token.createdBy,
    LastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    RevokedAt: token.revokedAt?.toISOString() ?? null,
  };
}
