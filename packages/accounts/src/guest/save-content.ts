import {
  accounts,
  audit,
  contentDefinitions,
  inTransaction,
  type Actor,
  type ContentDefinition,
  type Transaction,
} from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';

/** The result of saving content; `unfit_owner`: the given owner does not exist or may not share content. */
export type SavedContent =
  { kind: 'saved'; content: ContentDefinition } | { kind: 'unfit_owner' } | { kind: 'unknown' };

interface By {
  actor: Actor;
  origin: Origin;
}

/** Adds content that can be shared. */
export async function createContent(
  { db }: Pick<AccountsDeps, 'db'>,
  given: Omit<ContentDefinition, 'id'>,
  { actor, origin }: By,
): Promise<Exclude<SavedContent, { kind: 'unknown' }>> {
  return inTransaction<Exclude<SavedContent, { kind: 'unknown' }>>(db, origin, async (tx, rollBack) => {
    if (!(await lockOwner(tx, given.ownerId))) return rollBack({ kind: 'unfit_owner' });
    const content = { ...given, id: newId() };
    await contentDefinitions.insert(tx, content);
    const target = { kind: 'ContentDefinition', id: content.id } as const;
    const details = { Kind: content.kind, OwnerId: content.ownerId };
    await audit.append(tx, [{ action: 'content.created', actor, target, details }], origin);
    return { kind: 'saved', content };
  });
}

/** Changes content; without `ownerId`, the owner stays the same. */
export async function changeContent(
  { db }: Pick<AccountsDeps, 'db'>,
  id: string,
  change: Pick<ContentDefinition, 'name' | 'kind'> & { ownerId: ContentDefinition['ownerId'] | undefined },
  { actor, origin }: By,
): Promise<SavedContent> {
  const { ownerId, ...others } = change;
  return inTransaction<SavedContent>(db, origin, async (tx, rollBack) => {
    if (ownerId !== undefined && !(await lockOwner(tx, ownerId))) return rollBack({ kind: 'unfit_owner' });
    const before = await contentDefinitions.lockForChange(tx, id);
    if (before === undefined) return rollBack({ kind: 'unknown' });
    const content = { ...before, ...others, ...(ownerId !== undefined && { ownerId }) };
    await contentDefinitions.update(tx, content);
    const target = { kind: 'ContentDefinition', id } as const;
    const Changed = differences(before, content);
    const details = { Changed, Kind: content.kind, OwnerId: content.ownerId };
    await audit.append(tx, [{ action: 'content.changed', actor, target, details }], origin);
    return { kind: 'saved', content };
  });
}

/** Locks the new owner of content; returns whether it may be the owner: an account that may invite, or none. */
async function lockOwner(tx: Transaction, ownerId: string | null): Promise<boolean> {
  if (ownerId === null) return true;
  const owner = await accounts.lockById(tx, ownerId);
  return owner !== undefined && owner.role !== 'Guest';
}

function differences(before: ContentDefinition, after: ContentDefinition): string[] {
  const names = { name: 'Name', kind: 'Kind', ownerId: 'OwnerId' } as const;
  return Object.entries(names).flatMap(([field, name]) => {
    // The keys of the entries are those of the record.
    const key = field as keyof typeof names;
    return before[key] === after[key] ? [] : name;
  });
}
