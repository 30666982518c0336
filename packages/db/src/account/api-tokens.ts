import type { CountableRows } from '../postgres/bounded-count.ts';
import { isIP } from 'node:net';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { LAST_ID } from '../postgres/last-id.ts';

/** The role that the bearer of a static API token has. */
type Role = 'Service' | 'Admin';

/** A static API token as administrators see it. */
export interface ApiToken {
  id: string;
  name: string;
  /** Its first characters, to tell tokens apart. */
  prefix: string;
  role: Role;
  createdAt: Date;
  /** The account or static token that created it; null for the installation itself. */
  createdBy: string | null;
  /** A few seconds late. */
  lastUsedAt: Date | null;
  /** From where it was last used; as late. */
  lastUsedIp: string | null;
  /** From then on it is good no longer; null: for ever. */
  expiresAt: Date | null;
  /** Addresses and CIDR ranges from which it is taken; null: from anywhere. */
  networks: string[] | null;
  /** The token that was made in its place. */
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
    /** In the place of `expiresAt`: how long it is good from now on; null for ever. */
    lifetimeSeconds?: number | null;
  },
): Promise<ApiToken> {
  const [row] = await query<ApiToken>(
    tx,
    `insert into api_token (id, name, prefix, token_hash, role, created_by, networks, expires_at)
     values (?, ?, ?, ?, ?, ?, cast(? as text[]),
       coalesce(cast(? as timestamptz), now() + make_interval(secs => ?)))
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
    ],
  );
  if (row === undefined) throw new Error('an inserted row was not returned');
  return row;
}

/** The token of an id, revoked ones too. */
export async function findById(executor: Executor, id: string): Promise<ApiToken | undefined> {
  const [row] = await query<ApiToken>(executor, `select ${COLUMNS} from api_token where id = ?`, [id]);
  return row;
}

/** Revokes a token; `false` when it was revoked before or does not exist (`exists` tells which). */
export async function revoke(tx: Transaction, id: string): Promise<boolean> {
  const rows = await query(
    tx,
    'update api_token set revoked_at = now() where id = ? and revoked_at is null returning id',
    [id],
  );
  return rows.length === 1;
}

/** A token that the transaction keeps to itself. */
export interface HeldToken extends Pick<ApiToken, 'name' | 'role' | 'networks' | 'replacedBy'> {
  /** Revoked or expired. */
  isEnded: boolean;
  /** How long it was to be good when it was made; null for ever. */
  lifetimeSeconds: number | null;
}

/** Keeps a token to oneself until the transaction ends; `undefined` when there never was one of that id. */
export async function lock(tx: Transaction, id: string): Promise<HeldToken | undefined> {
  const [row] = await query<HeldToken>(
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

/** Notes which token was made in the place of one, which is good for so many seconds more, and never beyond its own end. */
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

/** Whether there is, or was, such a token. */
export async function exists(executor: Executor, id: string): Promise<boolean> {
  return (await query(executor, 'select id from api_token where id = ?', [id])).length === 1;
}

/** The tokens of these hashes that are neither revoked nor expired. */
export async function findByHashes(
  executor: Executor,
  hashes: readonly Buffer[],
): Promise<{ id: string; hash: Buffer; role: Role; networks: string[] | null }[]> {
  return await query(
    executor,
    `select id, token_hash as hash, role, networks
     from api_token
     where token_hash = any(?::bytea[]) and revoked_at is null
       and (expires_at is null or expires_at > now())`,
    [hashes],
  );
}

/** Up to `max` tokens, revoked ones too, newest first, after `beforeId`; `createdBy`: of one creator alone. */
export async function findNewest(
  executor: Executor,
  options: { beforeId: string | undefined; createdBy: string | undefined; max: number },
): Promise<ApiToken[]> {
  const { beforeId = LAST_ID, createdBy, max } = options;
  return await query<ApiToken>(
    executor,
    `select ${COLUMNS} from api_token where id < :beforeId and ${OF_CREATOR} order by id desc limit :max`,
    { beforeId, createdBy: createdBy ?? null, max },
  );
}

/** All static tokens, or those of one creator, to be counted. */
export function rowsOf(createdBy: string | undefined): CountableRows {
  return { sql: `select 1 from api_token where ${OF_CREATOR}`, bindings: { createdBy: createdBy ?? null } };
}

const OF_CREATOR = '(cast(:createdBy as uuid) is null or created_by = cast(:createdBy as uuid))';

/** Saves when tokens were last used, and from where; never replaces a later time by an earlier one. */
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
      // A client that is gone has none.
      [...uses.values()].map(({ address = '' }) => (isIP(address) === 0 ? null : address)),
    ],
  );
}
