import { auditedClient, type ClientRefusal } from '@gatehouse/accounts';
import type { ListedClientSession, OAuthClient } from '@gatehouse/db';
import type { ApiError, Refuse } from '@gatehouse/http';
import { Enum, ID_TOKEN_ALGS, NameOf, Nullable, Timestamp, Type, Uuid } from '@gatehouse/schema';

/** A client in Admin's responses, without its secret. */
export const ClientAnswer = Type.Object(
  {
    Id: Uuid(),
    Name: Type.String(),
    IsPublic: Type.Boolean(),
    RedirectUris: Type.Array(Type.String()),
    PostLogoutRedirectUris: Type.Array(Type.String()),
    BackchannelLogoutUri: Nullable(Type.String()),
    Scopes: Type.Array(Type.String()),
    GrantTypes: Type.Array(Type.String()),
    IsTrusted: Type.Boolean(),
    Roles: Type.Array(NameOf(['User', 'Guest', 'Admin'])),
    Groups: Type.Array(Type.String()),
    RequiresPkce: Type.Boolean(),
    RequiresNonce: Type.Boolean(),
    IdTokenAlg: Enum([...ID_TOKEN_ALGS]),
    SessionTag: Nullable(Type.String()),
    Resources: Type.Array(Type.String()),
    IsDeclared: Type.Boolean({
      description: 'Whether it comes from `OAUTH_CLIENTS`, and is only changed there',
    }),
    CreatedAt: Timestamp(),
    PreviousSecretExpiresAt: Nullable(Timestamp(), {
      description: 'Until when the secret before the latest rotation works; null if it does not',
    }),
  },
  { title: 'OAuthClient' },
);

/** The response that contains the secret, which is shown only once. */
export const NewClientAnswer = Type.Object({
  ...ClientAnswer.properties,
  Secret: Type.Optional(Type.String({ description: 'The `client_secret`; none for a public client' })),
});

/** The parameters of the path. */
export const ClientPath = Type.Object({ id: Uuid() });

export function clientAnswer(client: OAuthClient) {
  return {
    Id: client.id,
    ...auditedClient(client),
    CreatedAt: client.createdAt.toISOString(),
    PreviousSecretExpiresAt: client.previousSecretExpiresAt?.toISOString() ?? null,
  };
}

/** Who is signed in to a client. */
export const ClientSessionAnswer = Type.Object(
  {
    Id: Uuid(),
    UserId: Uuid(),
    Email: Type.String(),
    DisplayName: Nullable(Type.String()),
    SessionId: Uuid(),
    Scopes: Type.Array(Type.String()),
    CreatedAt: Timestamp(),
    LastSeenAt: Timestamp(),
  },
  { title: 'OAuthClientSession' },
);

export function clientSessionAnswer(session: ListedClientSession) {
  return {
    Id: session.id,
    UserId: session.accountId,
    Email: session.email,
    DisplayName: session.displayName,
    SessionId: session.sessionId,
    Scopes: session.scopes,
    CreatedAt: session.createdAt.toISOString(),
    LastSeenAt: session.lastSeenAt.toISOString(),
  };
}

/** Why a client is not changed. */
export function refusedClient(
  refuse: Refuse<'not_found' | 'client_declared'>,
  { kind }: ClientRefusal,
): ApiError {
  return kind === 'unknown' ? unknownClient(refuse) : refuse('client_declared');
}

export function unknownClient(refuse: Refuse<'not_found'>): ApiError {
  return refuse('not_found', 'Application not found');
}
