import { statement, txStatement } from '../postgres/statements.ts';

export type ContentKind = 'LiveChannel' | 'Recording' | 'Document';

export interface ContentDefinition {
  id: string;
  name: string;
  kind: ContentKind;
  /** The account that may invite to the content, besides administrators; null if the account was deleted. */
  ownerId: string | null;
}

const COLUMNS = 'id, name, kind, owner_id as "ownerId"';

export const findById = statement.row<ContentDefinition, [id: string]>(
  `select ${COLUMNS} from content_definition where id = ?`,
);

/** Prevents the content's deletion until the transaction ends; `false` if it does not exist. Lock accounts first. */
export const lockAgainstDeletion = txStatement.any<[id: string]>(
  'select id from content_definition where id = ? for key share',
);

/** Locks the content, so that nobody is invited to it meanwhile; `false` if it does not exist. Lock accounts first. */
export const lock = txStatement.any<[id: string]>(
  'select id from content_definition where id = ? for update',
);

export const isOwner = statement.any<[accountId: string]>(
  'select id from content_definition where owner_id = ? limit 1',
);

/** Transfers all content of an owner to another account; returns the content. Lock both accounts first. */
export const transferAll = txStatement.rows<ContentDefinition, { from: string; to: string }>(
  `update content_definition set owner_id = :to, updated_at = now() where owner_id = :from returning ${COLUMNS}`,
);

export const remove = txStatement.run<[id: string]>('delete from content_definition where id = ?');
