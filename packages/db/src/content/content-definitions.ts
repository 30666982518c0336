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

/** Which content a list shows; every condition that is given must hold. */
export interface ContentFilter {
  id?: string | undefined;
  /** A part of the name, whatever the case. */
  search?: string | undefined;
  kind?: ContentKind | undefined;
  ownerId?: string | undefined;
}

/** What has no more matches is looked up by the index of names; what has more is come across in the order of the list. */
const RARE_MAX = 10_000;

/** Up to `max` of the content that fits, newest first, from behind `beforeId` on. */
export async function findNewest(
  executor: Executor,
  filter: ContentFilter,
  { beforeId = LAST_ID, max }: { beforeId: string | undefined; max: number },
): Promise<ContentDefinition[]> {
  const bindings = bindingsOf(filter);
  const conditions = ['id < :beforeId', ...conditionsOf(filter)];
  let ids: string[] | undefined;
  if (filter.search !== undefined && INDEXED.test(filter.search)) {
    const sql = `select id from content_definition where ${SEARCHED} limit :enough`;
    const found = await query<{ id: string }>(executor, sql, { ...bindings, enough: RARE_MAX + 1 });
    if (found.length <= RARE_MAX) ids = found.map(({ id }) => id);
    if (ids !== undefined) conditions.push('id = any(cast(:ids as uuid[]))');
  }
  return await query<ContentDefinition>(
    executor,
    `select ${COLUMNS} from content_definition where ${conditions.join(' and ')} order by id desc limit :max`,
    { ...bindings, beforeId, max, ...(ids !== undefined && { ids }) },
  );
}

/** All content that fits, to be counted. */
export function rowsOf(filter: ContentFilter): CountableRows {
  const where = ['true', ...conditionsOf(filter)].join(' and ');
  return { sql: `select 1 from content_definition where ${where}`, bindings: bindingsOf(filter) };
}

/** Three letters or digits in a row: less than that the index of names cannot look up. */
const INDEXED = /[\p{L}\p{N}]{3}/u;
const SEARCHED = `lower(name) like '%' || lower(:search) || '%'`;

function conditionsOf({ id, search, kind, ownerId }: ContentFilter): string[] {
  return [
    ...(id === undefined ? [] : ['id = :id']),
    ...(search === undefined ? [] : [SEARCHED]),
    ...(kind === undefined ? [] : ['kind = :kind']),
    ...(ownerId === undefined ? [] : ['owner_id = :ownerId']),
  ];
}

function bindingsOf({ search, ...same }: ContentFilter) {
  return { ...same, search: search?.replaceAll(/[\\%_]/g, String.raw`\$&`) };
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
