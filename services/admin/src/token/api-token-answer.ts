import type { ApiToken } from '@gatehouse/db';
import { NameOf, Nullable, STATIC_TOKEN_ROLES, Timestamp, Type, Uuid } from '@gatehouse/schema';

/** The role of the token's bearer. */
export const ApiTokenRole = NameOf(STATIC_TOKEN_ROLES);

/** A static API token in Admin's responses, without the token and its hash. */
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
    LastUsedIp: Nullable(Type.String(), {
      description: 'The address of the last use; updated with the same delay',
    }),
    ExpiresAt: Nullable(Timestamp(), { description: 'null if it never expires' }),
    Networks: Nullable(Type.Array(Type.String()), { description: 'null if it is accepted from anywhere' }),
    ReplacedBy: Nullable(Uuid(), { description: 'The token that replaced it' }),
    RevokedAt: Nullable(Timestamp(), { description: 'null if not revoked' }),
  },
  { title: 'ApiToken' },
);

/** The response that contains the token, which is shown only once. */
export const NewApiToken = Type.Object({
  ...ApiTokenAnswer.properties,
  Token: Type.String({ description: 'The token. Send it as `Authorization: Bearer <Token>`.' }),
});

/** The parameters of the path. */
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
    LastUsedIp: token.lastUsedIp,
    ExpiresAt: token.expiresAt?.toISOString() ?? null,
    Networks: token.networks,
    ReplacedBy: token.replacedBy,
    RevokedAt: token.revokedAt?.toISOString() ?? null,
  };
}
