import { query, type Executor, type Transaction } from '../postgres/connect.ts';

export type ContentKind = 'LiveChannel' | 'Recording' | 'Document';

export interface ContentDefinition {
  id: string;
  name: string;
  kind: ContentKind;
  /** The account that may invite to the content, besides administrators; null if the account was deleted. */
  ownerId: string | null;
}

const COLUMNS = 'id, name, kind, owner_id as "ownerId"';

export async function findById(executor: Executor, id: string) {
  const sql = `select ${COLUMNS} from content_definition where id = ?`;
  return await query.row<ContentDefinition>(executor, sql, [id]);
}

/** Prevents the content's deletion until the transaction ends; `false` if it does not exist. Lock accounts first. */
export async function lockAgainstDeletion(tx: Transaction, id: string) {
  return await query.any(tx, 'select id from content_definition where id = ? for key share', [id]);
}

/** Locks the content, so that nobody is invited to it meanwhile; `false` if it does not exist. Lock accounts first. */
export async function lock(tx: Transaction, id: string) {
  return await query.any(tx, 'select id from content_definition where id = ? for update', [id]);
}

export async function isOwner(executor: Executor, accountId: string) {
  return await query.any(executor, 'select id from content_definition where owner_id = ? limit 1', [
    accountId,
  ]);
}

/** Transfers all content of an owner to another account; returns the content. Lock both accounts first. */
export async function transferAll(tx: Transaction, { from, to }: { from: string; to: string }) {
  const sql = `update content_definition set owner_id = :to, updated_at = now() where owner_id = :from returning ${COLUMNS}`;
  return await query<ContentDefinition>(tx, sql, { from, to });
}

/** Removes content with all access and invitations to it. */
export async function remove(tx: Transaction, id: string): Promise<void> {
  await query(tx, 'delete from content_definition where id = ?', [id]);
}
