import { audit, inTransaction, outbox, personPurges, persons, type Actor, type Person } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import type { AccountsDeps, Origin } from '../deps.ts';
import { FACES_AT_ONCE } from './purge-faces.ts';

/** The fields of a person that people edit. */
export type PersonFields = Pick<Person, 'name' | 'notes' | 'externalId'> & { nameKey: string };

/** The result of saving a person; `changed_since`: the person has changed since the caller read it. */
export type SavedPerson =
  | { kind: 'saved'; person: Person }
  | { kind: 'unknown' }
  | { kind: 'changed_since' }
  | { kind: 'name_taken' };

type Deps = Pick<AccountsDeps, 'db' | 'relay'>;

interface By {
  actor: Actor;
  origin: Origin;
}

export async function createPerson(
  { db, relay }: Deps,
  fields: PersonFields,
  { actor, origin }: By,
): Promise<Extract<SavedPerson, { kind: 'saved' | 'name_taken' }>> {
  const given = { id: newId(), ...fields };
  const person = await inTransaction(db, origin, async (tx) => {
    const added = await persons.insert(tx, given);
    if (added === undefined) return undefined;
    const target = { kind: 'Person', id: added.id } as const;
    await audit.append(tx, [{ action: 'person.created', actor, target }], origin);
    const { traceId } = origin;
    await outbox.add(tx, [newEvent('person.created', { PersonId: added.id }, { traceId })]);
    return added;
  });
  if (person === undefined) return { kind: 'name_taken' };
  relay.wake();
  return { kind: 'saved', person };
}

/** Replaces the editable fields of a person, whose current state must pass `isExpected`. */
export async function replacePerson(
  { db, relay }: Deps,
  { id, fields, isExpected }: { id: string; fields: PersonFields; isExpected: (person: Person) => boolean },
  { actor, origin }: By,
): Promise<SavedPerson> {
  const outcome = await inTransaction<SavedPerson>(db, origin, async (tx, rollBack) => {
    const before = await persons.lock(tx, id);
    if (before === undefined) return rollBack({ kind: 'unknown' });
    if (!isExpected(before)) return rollBack({ kind: 'changed_since' });
    const person = await persons.update(tx, { id: before.id, ...fields });
    if (person === undefined) return rollBack({ kind: 'name_taken' });
    const target = { kind: 'Person', id: person.id } as const;
    const details = { Fields: fieldsChanged(before, person) };
    await audit.append(tx, [{ action: 'person.changed', actor, target, details }], origin);
    const { traceId } = origin;
    await outbox.add(tx, [newEvent('person.updated', { PersonId: person.id }, { traceId })]);
    return { kind: 'saved', person };
  });
  if (outcome.kind === 'saved') relay.wake();
  return outcome;
}

/** The names of the changed fields, without their values, because the audit outlives the person. */
function fieldsChanged(before: Person, after: Person): string[] {
  const fields = { Name: 'name', Notes: 'notes', ExternalId: 'externalId' } as const;
  return Object.entries(fields).flatMap(([name, field]) => (before[field] === after[field] ? [] : [name]));
}

/**
 * Deletes a person, whose current state must pass `isExpected`, with their faces; many faces are removed after the
 * answer.
 */
export async function deletePerson(
  { db, relay }: Deps,
  { id, isExpected }: { id: string; isExpected: (person: Person) => boolean },
  { actor, origin }: By,
): Promise<{ kind: 'deleted' } | Extract<SavedPerson, { kind: 'unknown' | 'changed_since' }>> {
  type Outcome = Awaited<ReturnType<typeof deletePerson>>;
  const outcome = await inTransaction<Outcome>(db, origin, async (tx, rollBack) => {
    const person = await persons.lock(tx, id);
    if (person === undefined) return rollBack({ kind: 'unknown' });
    if (!isExpected(person)) return rollBack({ kind: 'changed_since' });
    const removed = await personPurges.removeFaces(tx, person.id, FACES_AT_ONCE);
    if (removed === FACES_AT_ONCE) await personPurges.insert(tx, person.id);
    await persons.remove(tx, person.id);
    const target = { kind: 'Person', id: person.id } as const;
    await audit.append(tx, [{ action: 'person.deleted', actor, target }], origin);
    const { traceId } = origin;
    await outbox.add(tx, [newEvent('person.deleted', { PersonId: person.id }, { traceId })]);
    return { kind: 'deleted' };
  });
  if (outcome.kind === 'deleted') relay.wake();
  return outcome;
}
