import type { OAUTH_GRANT_TYPES } from '@gatehouse/schema';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { ordered } from '../search/filters.ts';
import { defineList } from '../search/list.ts';

/** An application that signs people in through Gatehouse. */
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
  idTokenAlg: 'RS256' | 'ES256';
  /** The tag of sessions that a sign-in to it opens; null: as for the account pages. */
  sessionTag: string | null;
  /** The audiences that it may ask for, besides itself. */
  resources: string[];
  /** Declared in a file of the installation. */
  isDeclared: boolean;
  createdAt: Date;
  /** Until when the secret before the latest rotation works; null if it does not. */
  previousSecretExpiresAt: Date | null;
}

/** What administrators set. */
export type OAuthClientFields = Omit<OAuthClient, 'id' | 'createdAt' | 'previousSecretExpiresAt'>;

const COLUMNS = `id, name, is_public as "isPublic", redirect_uris as "redirectUris",
  post_logout_redirect_uris as "postLogoutRedirectUris", backchannel_logout_uri as "backchannelLogoutUri", scopes,
  grant_types as "grantTypes", is_trusted as "isTrusted", roles, groups, requires_pkce as "requiresPkce",
  requires_nonce as "requiresNonce", id_token_alg as "idTokenAlg", session_tag as "sessionTag", resources, is_declared as "isDeclared",
  created_at as "createdAt",
  case when previous_secret_expires_at > now() then previous_secret_expires_at end as "previousSecretExpiresAt"`;

/** The client with this id. */
export async function find(executor: Executor, id: string): Promise<OAuthClient | undefined> {
  const [row] = await query<OAuthClient>(executor, `select ${COLUMNS} from oauth_client where id = ?`, [id]);
  return row;
}

/** Lets only one transaction at a time declare the clients of the installation's file. */
export async function lockDeclared(tx: Transaction): Promise<void> {
  await query(tx, 'select pg_advisory_xact_lock(?)', [LOCK]);
}

const LOCK = 7_114_201_984;

/** The clients that are declared in the installation's file. */
export async function findDeclared(executor: Executor): Promise<OAuthClient[]> {
  return query<OAuthClient>(executor, `select ${COLUMNS} from oauth_client where is_declared order by id`);
}

/** Gives a client the secret that the file declares, and whether it is public; the earlier secret works no more. */
export async function declareSecret(
  tx: Transaction,
  id: string,
  secretHash: Buffer | null,
): Promise<boolean> {
  const rows = await query(
    tx,
    `update oauth_client
     set is_public = cast(:secretHash as bytea) is null, secret_hash = :secretHash, previous_secret_hash = null,
       previous_secret_expires_at = null
     where id = :id and secret_hash is distinct from :secretHash
     returning id`,
    { id, secretHash },
  );
  return rows.length === 1;
}

/** A client with the hashes of the secrets that it may show now. */
export type OAuthClientWithSecrets = OAuthClient & { secretHashes: Buffer[] };

/** The client with this id, with its secrets. */
export async function findWithSecrets(
  executor: Executor,
  id: string,
): Promise<OAuthClientWithSecrets | undefined> {
  const [row] = await query<OAuthClientWithSecrets>(
    executor,
    `select ${COLUMNS},
       array_remove(
         array[secret_hash, case when previous_secret_expires_at > now() then previous_secret_hash end], null
       ) as "secretHashes"
     from oauth_client
     where id = ?`,
    [id],
  );
  return row;
}

/** Adds a client. `secretHash`: null for a public client. */
export async function insert(
  tx: Transaction,
  client: OAuthClientFields & { id: string; secretHash: Buffer | null },
): Promise<OAuthClient> {
  const [row] = await query<OAuthClient>(
    tx,
    `insert into oauth_client (
       id, name, is_public, secret_hash, redirect_uris, post_logout_redirect_uris, backchannel_logout_uri, scopes,
       grant_types, is_trusted, roles, groups, requires_pkce, requires_nonce, id_token_alg, session_tag, resources,
       is_declared)
     values (
       :id, :name, :isPublic, :secretHash, cast(:redirectUris as text[]), cast(:postLogoutRedirectUris as text[]),
       :backchannelLogoutUri, cast(:scopes as text[]), cast(:grantTypes as text[]), :isTrusted,
       cast(:roles as text[]), cast(:groups as text[]), :requiresPkce, :requiresNonce, :idTokenAlg,
       :sessionTag, cast(:resources as text[]), :isDeclared)
     returning ${COLUMNS}`,
    client,
  );
  if (row === undefined) throw new Error('an inserted row was not returned');
  return row;
}

/** Locks a client until the transaction ends. */
export async function lock(tx: Transaction, id: string): Promise<OAuthClient | undefined> {
  const [row] = await query<OAuthClient>(tx, `select ${COLUMNS} from oauth_client where id = ? for update`, [
    id,
  ]);
  return row;
}

/**
 * Keeps an active session and a client as they are until the transaction ends; `false` if one of them has ended. Lock the
 * account first.
 */
export async function hold(
  tx: Transaction,
  opening: { clientId: string; accountId: string; sessionId: string },
): Promise<boolean> {
  const rows = await query(
    tx,
    `select s.id
     from user_session s, oauth_client c
     where s.id = :sessionId and s.account_id = :accountId and s.ended_at is null and s.expires_at > now()
       and c.id = :clientId
     for no key update of s
     for share of c`,
    { clientId: opening.clientId, accountId: opening.accountId, sessionId: opening.sessionId },
  );
  return rows.length === 1;
}

/** Sets all fields of a client, except whether it is public, and its secret. */
export async function update(
  tx: Transaction,
  id: string,
  fields: Omit<OAuthClientFields, 'isPublic'>,
): Promise<OAuthClient | undefined> {
  const [row] = await query<OAuthClient>(
    tx,
    `update oauth_client
     set name = :name, redirect_uris = cast(:redirectUris as text[]),
       post_logout_redirect_uris = cast(:postLogoutRedirectUris as text[]),
       backchannel_logout_uri = :backchannelLogoutUri, scopes = cast(:scopes as text[]),
       grant_types = cast(:grantTypes as text[]), is_trusted = :isTrusted, roles = cast(:roles as text[]),
       groups = cast(:groups as text[]), requires_pkce = :requiresPkce,
       requires_nonce = :requiresNonce, id_token_alg = :idTokenAlg, session_tag = :sessionTag,
       resources = cast(:resources as text[]), is_declared = :isDeclared
     where id = :id
     returning ${COLUMNS}`,
    { ...fields, id },
  );
  return row;
}

/** Gives a confidential client another secret; the earlier one works for `overlapSeconds` more. */
export async function rotateSecret(
  tx: Transaction,
  id: string,
  { secretHash, overlapSeconds }: { secretHash: Buffer; overlapSeconds: number },
): Promise<boolean> {
  const rows = await query(
    tx,
    `update oauth_client
     set previous_secret_hash = secret_hash,
       previous_secret_expires_at = now() + make_interval(secs => :overlapSeconds), secret_hash = :secretHash
     where id = :id and not is_public
     returning id`,
    { id, secretHash, overlapSeconds },
  );
  return rows.length === 1;
}

/** Deletes a client with everything that it has: codes, client sessions and consents. */
export async function remove(tx: Transaction, id: string): Promise<boolean> {
  return (await query(tx, 'delete from oauth_client where id = ? returning id', [id])).length === 1;
}

/** The list of clients. */
export const { findNewest, rowsOf } = defineList<{ isDeclared?: boolean | undefined }, OAuthClient>({
  table: 'oauth_client',
  select: `select ${COLUMNS} from oauth_client`,
  filters: { isDeclared: ordered('is_declared = :isDeclared') },
  sieved: [],
});
