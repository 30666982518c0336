import type { OAUTH_GRANT_TYPES } from '@gatehouse/schema';
import { statement, txStatement } from '../postgres/statements.ts';

export interface OAuthClient {
  /** The `client_id`. */
  id: string;
  name: string;
  /** It cannot keep a secret. */
  isPublic: boolean;
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  backchannelLogoutUri: string | null;
  scopes: string[];
  /** Without any it gets no tokens, and nobody is signed in to it. */
  grantTypes: (typeof OAUTH_GRANT_TYPES)[number][];
  /** Its users are not asked for consent. */
  isTrusted: boolean;
  roles: ('User' | 'Guest' | 'Admin')[];
  /** One of these is enough; none: everybody with such a role. */
  groups: string[];
  requiresPkce: boolean;
  /** Whether it sends a nonce where it leaves out PKCE. */
  requiresNonce: boolean;
  /** Whether `http://localhost` may have any port, of a public client. */
  anyLocalhostPort: boolean;
  idTokenAlg: 'RS256' | 'ES256';
  /** The tag of sessions that a sign-in to it opens; null: as for the account pages. */
  sessionTag: string | null;
  /** The audiences that it may ask for, besides itself. */
  resources: string[];
  /** Whether a sign-in lives with the session that it came from, or by itself, and then how long at most; null: as set. */
  grants: 'session' | 'own';
  grantMaxSeconds: number | null;
  /** Declared in a file of the installation. */
  isDeclared: boolean;
  /** Where its document is, which is then its `client_id` for others. */
  documentUrl: string | null;
  createdAt: Date;
  /** Until when the secret before the latest rotation works; null if it does not. */
  previousSecretExpiresAt: Date | null;
}

export type OAuthClientFields = Omit<OAuthClient, 'id' | 'createdAt' | 'previousSecretExpiresAt'>;

const COLUMNS = `id, name, is_public as "isPublic", redirect_uris as "redirectUris",
  post_logout_redirect_uris as "postLogoutRedirectUris", backchannel_logout_uri as "backchannelLogoutUri", scopes,
  grant_types as "grantTypes", is_trusted as "isTrusted", roles, groups, requires_pkce as "requiresPkce",
  requires_nonce as "requiresNonce", any_localhost_port as "anyLocalhostPort", id_token_alg as "idTokenAlg",
  session_tag as "sessionTag", resources, grants, grant_max_seconds as "grantMaxSeconds", is_declared as "isDeclared",
  document_url as "documentUrl", created_at as "createdAt",
  case when previous_secret_expires_at > now() then previous_secret_expires_at end as "previousSecretExpiresAt"`;

export const find = statement.row<OAuthClient, [id: string]>(
  `select ${COLUMNS} from oauth_client where id = ?`,
);

export type OAuthClientWithSecrets = OAuthClient & { secretHashes: Buffer[] };

export const findWithSecrets = statement.row<OAuthClientWithSecrets, [id: string]>(`select ${COLUMNS},
    array_remove(
      array[secret_hash, case when previous_secret_expires_at > now() then previous_secret_hash end], null
    ) as "secretHashes"
  from oauth_client
  where id = ?`);

/** Holds an active session and a client; `false` if one has ended. Lock the account first. */
export const hold = txStatement.any<{ clientId: string; accountId: string; sessionId: string }>(`select s.id
  from user_session s, oauth_client c
  where s.id = :sessionId and s.account_id = :accountId and s.ended_at is null and s.expires_at > now()
    and c.id = :clientId
  for no key update of s
  for share of c`);
