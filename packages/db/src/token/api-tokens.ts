import { isIP } from 'node:net';
import type { StaticTokenRole } from '@gatehouse/schema';
import { query, type Executor } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';

export const findByHashes = statement.rows<
  { id: string; hash: Buffer; role: StaticTokenRole; networks: string[] | null; isRestricted: boolean },
  [hashes: readonly Buffer[]]
>(`select id, token_hash as hash, role, networks,
    networks is not null or expires_at is not null as "isRestricted"
  from api_token
  where token_hash = any(?::bytea[]) and revoked_at is null
    and (expires_at is null or expires_at > now())`);

/** Saves when and from where tokens were last used; never replaces a later time with an earlier one. */
export async function saveUses(
  executor: Executor,
  uses: ReadonlyMap<string, { at: Date; address: string | undefined }>,
): Promise<void> {
  const sql = `update api_token
    set last_used_at = used.at, last_used_ip = used.address
    from unnest(cast(? as uuid[]), cast(? as timestamptz[]), cast(? as inet[])) as used (id, at, address)
    where api_token.id = used.id and (last_used_at is null or last_used_at < used.at)`;
  await query(executor, sql, [
    [...uses.keys()],
    [...uses.values()].map(({ at }) => at.toISOString()),
    // There is no address if the client has already disconnected.
    [...uses.values()].map(({ address = '' }) => (isIP(address) === 0 ? null : address)),
  ]);
}
