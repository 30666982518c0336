import type { CountableRows } from '../postgres/bounded-count.ts';
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
  revokedAt: Date | null;
}

const COLUMNS = `id, name, prefix, role, created_at as "createdAt", created_by as "createdBy",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

/** Adds a token by its hash; the token itself is not stored. */
export async function insert(
  tx: Transaction,
  token: Pick<ApiToken, 'id' | 'name' | 'prefix' | 'role' | 'createdBy'> & { hash: Buffer },
): Promise<ApiToken> {
  const [row] = await query<ApiToken>(
    tx,
    `insert into api_token (id, name, prefix, token_hash, role, created_by)
     values (?, ?, ?, ?, ?, ?)
     returning ${COLUMNS}`,
    [token.id, token.name, token.prefix, token.hash, token.role, token.createdBy],
  );
  if (row === undefined) throw new Error('an inserted row was not returned');
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

/** Whether there is, or was, such a token. */
export async function exists(executor: Executor, id: string): Promise<boolean> {
  return (await query(executor, 'select id from api_token where id = ?', [id])).length === 1;
}

/** The tokens with these hashes that are not revoked. */
export async function findByHashes(
  executor: Executor,
  hashes: readonly Buffer[],
): Promise<{ id: string; hash: Buffer; role: Role }[]> {
  return await query<{ id: string; hash: Buffer; role: Role }>(
    executor,
    `select id, token_hash as hash, role
     from api_token
     where token_hash = any(?::bytea[]) and revoked_at is null`,
    [hashes],
  );
}

/** Up to `max` tokens, revoked ones too, newest first, after `beforeId`. */
export async function findNewest(
  executor: Executor,
  options: { beforeId: string | undefined; max: number },
): Promise<ApiToken[]> {
  const { beforeId = LAST_ID, max } = options;
  return await query<ApiToken>(
    executor,
    `select ${COLUMNS} from api_token where id < ? order by id desc limit ?`,
    [beforeId, max],
  );
}

/** All static tokens, to be counted. */
export function rowsOf(): CountableRows {
  return { sql: 'select 1 from api_token', bindings: {} };
}

/** Saves when tokens were last used; never replaces a later time by an earlier one. */
export async function saveUses(executor: Executor, uses: ReadonlyMap<string, Date>): Promise<void> {
  await query(
    executor,
    `update api_token
     set last_used_at = used.at
     from unnest(cast(? as uuid[]), cast(? as timestamptz[])) as used (id, at)
     where api_token.id = used.id and (last_used_at is null or last_used_at < used.at)`,
    [[...uses.keys()], [...uses.values()].map((at) => at.toISOString())],
  );
}
