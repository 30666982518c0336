import { isIP } from 'node:net';
import type { StaticTokenRole } from '@gatehouse/schema';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { ordered } from '../search/filters.ts';
import { defineList } from '../search/list.ts';

/** A static API token as administrators see it. */
export interface ApiToken {
  id: string;
  name: string;
  /** The first characters of the token, for telling tokens apart. */
  prefix: string;
  role: StaticTokenRole;
  createdAt: Date;
  /** The account or static token that created it; null for the installation itself. */
  createdBy: string | null;
  /** Updated with a delay of a few seconds. */
  lastUsedAt: Date | null;
  /** The address of the last use; updated with the same delay. */
  lastUsedIp: string | null;
  /** When the token expires; null: never. */
  expiresAt: Date | null;
  /** The addresses and CIDR ranges from which the token is accepted; null: from anywhere. */
  networks: string[] | null;
  /** The token that replaced this one. */
  replacedBy: string | null;
  revokedAt: Date | null;
}

const COLUMNS = `id, name, prefix, role, created_at as "createdAt", created_by as "createdBy",
  last_used_at as "lastUsedAt", host(last_used_ip) as "lastUsedIp", expires_at as "expiresAt", networks,
  replaced_by as "replacedBy", revoked_at as "revokedAt"`;

/** Adds a token by its hash; the token itself is not stored. */
export async function insert(
  tx: Transaction,
  token: Pick<ApiToken, 'id' | 'name' | 'prefix' | 'role' | 'createdBy' | 'networks'> & {
    hash: Buffer;
    expiresAt?: Date | undefined;
    /** Instead of `expiresAt`: the lifetime from now on; null: the token never expires. */
    lifetimeSeconds?: number | null;
    /** It expires at this time at the latest; null: no limit. */
    expiresAtMost: Date | null;
  },
): Promise<ApiToken> {
  const [row] = await query<ApiToken>(
    tx,
    `insert into api_token (id, name, prefix, token_hash, role, created_by, networks, expires_at)
     values (?, ?, ?, ?, ?, ?, cast(? as text[]),
       least(
         coalesce(cast(? as timestamptz), now() + make_interval(secs => ?)),
         cast(? as timestamptz)))
     returning ${COLUMNS}`,
    [
      token.id,
      token.name,
      token.prefix,
      token.hash,
      token.role,
      token.createdBy,
      token.networks,
      token.expiresAt ?? null,
      token.lifetimeSeconds ?? null,
      token.expiresAtMost,
    ],
  );
  if (row === undefined) throw new Error('an inserted row was not returned');
  return row;
}

/** The token with this id, even if revoked. */
export async function findById(executor: Executor, id: string): Promise<ApiToken | undefined> {
  const [row] = await query<ApiToken>(executor, `select ${COLUMNS} from api_token where id = ?`, [id]);
  return row;
}

/** Revokes a token; `false` if it was already revoked or does not exist (`exists` tells which). */
export async function revoke(tx: Transaction, id: string): Promise<boolean> {
  const rows = await query(
    tx,
    'update api_token set revoked_at = now() where id = ? and revoked_at is null returning id',
    [id],
  );
  return rows.length === 1;
}

/** A token that the transaction has locked. */
export interface LockedToken extends Pick<ApiToken, 'name' | 'role' | 'networks' | 'replacedBy'> {
  /** Revoked or expired. */
  isEnded: boolean;
  /** The lifetime that the token was created with; null: it never expires. */
  lifetimeSeconds: number | null;
}

/** Locks a token until the transaction ends; `undefined` if there never was a token with that id. */
export async function lock(tx: Transaction, id: string): Promise<LockedToken | undefined> {
  const [row] = await query<LockedToken>(
    tx,
    `select name, role, networks, replaced_by as "replacedBy",
       revoked_at is not null or coalesce(expires_at <= now(), false) as "isEnded",
       extract(epoch from expires_at - created_at)::float8 as "lifetimeSeconds"
     from api_token
     where id = ?
     for update`,
    [id],
  );
  return row;
}

/**
 * Records the token that replaces this one, which expires `overlapSeconds` from now unless it was due to expire
 * earlier.
 */
export async function replace(
  tx: Transaction,
  id: string,
  { by, overlapSeconds }: { by: string; overlapSeconds: number },
): Promise<void> {
  await query(
    tx,
    `update api_token
     set replaced_by = ?, expires_at = least(expires_at, now() + make_interval(secs => ?))
     where id = ?`,
    [by, overlapSeconds, id],
  );
}

/** Whether there is a token with this id, even if revoked or expired. */
export async function exists(executor: Executor, id: string): Promise<boolean> {
  return (await query(executor, 'select id from api_token where id = ?', [id])).length === 1;
}

/** The tokens with these hashes that are neither revoked nor expired. */
export async function findByHashes(
  executor: Executor,
  hashes: readonly Buffer[],
): Promise<
  { id: string; hash: Buffer; role: StaticTokenRole; networks: string[] | null; isRestricted: boolean }[]
> {
  return await query(
    executor,
    `select id, token_hash as hash, role, networks,
       networks is not null or expires_at is not null as "isRestricted"
     from api_token
     where token_hash = any(?::bytea[]) and revoked_at is null
       and (expires_at is null or expires_at > now())`,
    [hashes],
  );
}

/** The list of static tokens, including revoked ones. */
export const { findNewest, rowsOf } = defineList<{ createdBy?: string | undefined }, ApiToken>({
  table: 'api_token',
  select: `select ${COLUMNS} from api_token`,
  filters: { createdBy: ordered('created_by = :createdBy') },
  sieved: [],
});

/** Saves when and from where tokens were last used; never replaces a later time with an earlier one. */
export async function saveUses(
  executor: Executor,
  uses: ReadonlyMap<string, { at: Date; address: string | undefined }>,
): Promise<void> {
  await query(
    executor,
    `update api_token
     set last_used_at = used.at, last_used_ip = used.address
     from unnest(cast(? as uuid[]), cast(? as timestamptz[]), cast(? as inet[])) as used (id, at, address)
     where api_token.id = used.id and (last_used_at is null or last_used_at < used.at)`,
    [
      [...uses.keys()],
      [...uses.values()].map(({ at }) => at.toISOString()),
      // There is no address if the client has already disconnected.
      [...uses.values()].map(({ address = '' }) => (isIP(address) === 0 ? null : address)),
    ],
  );
}
