import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { contains, ordered, sieve } from '../search/filters.ts';
import { defineList } from '../search/list.ts';

export type ContentKind = 'LiveChannel' | 'Recording' | 'Document';

/** Content that can be shared with people. */
export interface ContentDefinition {
  id: string;
  name: string;
  kind: ContentKind;
  /** The account that may invite to the content, besides administrators; null if the account was deleted. */
  ownerId: string | null;
}

const COLUMNS = 'id, name, kind, owner_id as "ownerId"';

export async function findById(executor: Executor, id: string): Promise<ContentDefinition | undefined> {
  const sql = `select ${COLUMNS} from content_definition where id = ?`;
  const [row] = await query<ContentDefinition>(executor, sql, [id]);
  return row;
}

/** Prevents the content's deletion until the transaction ends; `false` if it does not exist. Lock accounts first. */
export async function lockAgainstDeletion(tx: Transaction, id: string): Promise<boolean> {
  const rows = await query(tx, 'select id from content_definition where id = ? for key share', [id]);
  return rows.length === 1;
}

/** Locks the content, so that nobody is invited to it meanwhile; `false` if it does not exist. Lock accounts first. */
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

/** Which content a list shows; content must meet all given conditions. */
export interface ContentFilter {
  id?: string | undefined;
  /** A part of the name, case-insensitive. */
  search?: string | undefined;
  kind?: ContentKind | undefined;
  ownerId?: string | undefined;
}

/** The list of content. */
export const { findNewest, rowsOf } = defineList<ContentFilter, ContentDefinition>({
  table: 'content_definition',
  select: `select ${COLUMNS} from content_definition`,
  filters: {
    id: ordered('id = :id'),
    ownerId: ordered('owner_id = :ownerId'),
    search: contains('lower(name)'),
    kind: sieve('kind = :kind'),
  },
  sieved: ['name', 'kind'],
});

/** Whether an account owns any content. */
export async function isOwner(executor: Executor, accountId: string): Promise<boolean> {
  const rows = await query(executor, 'select id from content_definition where owner_id = ? limit 1', [
    accountId,
  ]);
  return rows.length === 1;
}

/** Transfers all content of an owner to another account; returns the content. Lock both accounts first. */
export async function transferAll(
  tx: Transaction,
  { from, to }: { from: string; to: string },
): Promise<ContentDefinition[]> {
  const sql = `update content_definition set owner_id = :to, updated_at = now() where owner_id = :from returning ${COLUMNS}`;
  return await query<ContentDefinition>(tx, sql, { from, to });
}

export async function insert(tx: Transaction, content: ContentDefinition): Promise<void> {
  await query(tx, 'insert into content_definition (id, name, kind, owner_id) values (?, ?, ?, ?)', [
    content.id,
    content.name,
    content.kind,
    content.ownerId,
  ]);
}

/** Changes content; `false` if there is none with this id. */
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

/** Removes content with all access and invitations to it. */
export async function remove(tx: Transaction, id: string): Promise<void> {
  await query(tx, 'delete from content_definition where id = ?', [id]);
}
