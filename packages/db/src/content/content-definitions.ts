import type { CountableRows } from '../postgres/bounded-count.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { LAST_ID } from '../postgres/last-id.ts';

export type ContentKind = 'LiveChannel' | 'Recording' | 'Document';

/** Something that is shared with people. */
export interface ContentDefinition {
  id: string;
  name: string;
  kind: ContentKind;
  /** The account that may invite to it, besides administrators; null when it was deleted. */
  ownerId: string | null;
}

const COLUMNS = 'id, name, kind, owner_id as "ownerId"';

export async function findById(executor: Executor, id: string): Promise<ContentDefinition | undefined> {
  const sql = `select ${COLUMNS} from content_definition where id = ?`;
  const [row] = await query<ContentDefinition>(executor, sql, [id]);
  return row;
}

/** Prevents the deletion of the content until the transaction ends; `false` when it is gone. Lock accounts first. */
export async function lockAgainstDeletion(tx: Transaction, id: string): Promise<boolean> {
  const rows = await query(tx, 'select id from content_definition where id = ? for key share', [id]);
  return rows.length === 1;
}

/** Locks the content, so that nobody is invited to it meanwhile; `false` when it is gone. Lock accounts first. */
export async function lock(tx: Transaction, id: string): Promise<boolean> {
  const rows = await query(tx, 'select id from content_definition where id = ? for update', [id]);
  return rows.length === 1;
}

/** Locks the content against changes until the transaction ends. Lock accounts first. */
export async function lockForChange(tx: Transaction, id: string): Promise<ContentDefinition | undefined> {
  const sql = `select ${COLUMNS} from content_definition where id = ? for no key update`;
  const [row] = await query<ContentDefinition>(tx, sql, [id]);
  return row;
}

/** The oldest content of a kind that an account owns. */
export async function findOldestOwned(
  executor: Executor,
  ownerId: string,
  kind: ContentKind,
): Promise<ContentDefinition | undefined> {
  const [row] = await query<ContentDefinition>(
    executor,
    `select ${COLUMNS} from content_definition where owner_id = ? and kind = ? order by id limit 1`,
    [ownerId, kind],
  );
  return row;
}

/** Up to `max`, newest first, after `beforeId`. */
export async function findNewest(
  executor: Executor,
  options: { beforeId: string | undefined; max: number },
): Promise<ContentDefinition[]> {
  const { beforeId = LAST_ID, max } = options;
  return await query<ContentDefinition>(
    executor,
    `select ${COLUMNS} from content_definition where id < ? order by id desc limit ?`,
    [beforeId, max],
  );
}

/** All content, to be counted. */
export function rowsOf(): CountableRows {
  return { sql: 'select 1 from content_definition', bindings: {} };
}

export async function insert(tx: Transaction, content: ContentDefinition): Promise<void> {
  await query(tx, 'insert into content_definition (id, name, kind, owner_id) values (?, ?, ?, ?)', [
    content.id,
    content.name,
    content.kind,
    content.ownerId,
  ]);
}

/** `false` when there is none with this id. */
export async function update(tx: Transaction, content: ContentDefinition): Promise<boolean> {
  const rows = await query(
    tx,
    `update content_definition
     set name = ?, kind = ?, owner_id = ?, updated_at = now()
     where id = ?
     returning id`,
    [content.name, content.kind, content.ownerId, content.id],
  );
  return rows.length === 1;
}

/** Removes content with every access and invitation to it. */
export async function remove(tx: Transaction, id: string): Promise<void> {
  await query(tx, 'delete from content_definition where id = ?', [id]);
}
