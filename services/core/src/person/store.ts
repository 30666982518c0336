import { isDuplicate, query, txStatement, type Transaction } from '@gatehouse/db';
import { FaceMatchType } from '@gatehouse/events';
import { computed, record, time, type RowOf } from '@gatehouse/kit';
import { Nullable, Type, Uuid } from '@gatehouse/schema';

const COUNTED = [
  ['Automatch', 'automatch'],
  ['ProbableMatch', 'probable_match'],
  ['NotMatch', 'not_match'],
  ['ConfirmedMatch', 'confirmed_match'],
  ['Blurry', 'blurry'],
] as const satisfies readonly (readonly [keyof typeof FaceMatchType, string])[];

const fields = {
  id: Uuid(),
  name: Type.String(),
  notes: Nullable(Type.String()),
  externalId: Nullable(Type.String()),
  faceMatchCounts: computed(
    Type.Object(Object.fromEntries(COUNTED.map(([name]) => [name, Type.Integer({ minimum: 0 })])), {
      title: 'FaceMatchCounts',
    }),
    `json_build_object(${COUNTED.map(([name, column]) => `'${name}', ${column}`).join(', ')})`,
  ),
  createdAt: time(),
  updatedAt: time(),
};

/** A person whose faces are recognised … */
export const Person = record('person', fields, { name: 'Person' });
/** … with what every edit increments, but not a change of their faces. */
const versionedFields = { ...fields, version: Type.Integer() };
export const VersionedPerson = record('person', versionedFields, { name: 'Person', title: null });
export type Person = RowOf<typeof versionedFields>;

/** The editable fields of a person; names are compared by `nameKey`. */
type PersonEdit = Pick<Person, 'id' | 'name' | 'notes' | 'externalId'> & { nameKey: string };

/** A face of a person that was added (no `from`), changed its type, or was removed (no `to`). */
interface CountChange {
  personId: string;
  from?: FaceMatchType | undefined;
  to?: FaceMatchType | undefined;
}

/** `undefined` if the name is taken. This is not an error, because an error's log entry would contain the name. */
export const insertPerson = txStatement.row<Person, PersonEdit>(`
  insert into person (id, name, name_key, notes, external_id)
  values (:id, :name, :nameKey, :notes, :externalId)
  on conflict (name_key) do nothing
  returning ${VersionedPerson.columns}`);

/** `undefined` if another person has the name. The transaction may have failed then, so roll it back. */
export async function updatePerson(tx: Transaction, person: PersonEdit): Promise<Person | undefined> {
  try {
    const sql = `update person
      set name = :name, name_key = :nameKey, notes = :notes, external_id = :externalId,
        version = version + 1, updated_at = now()
      where id = :id
        and not exists (select 1 from person other where other.name_key = :nameKey and other.id <> :id)
      returning ${VersionedPerson.columns}`;
    return await query.row<Person>(tx, sql, { ...person });
  } catch (error) {
    if (isDuplicate(error, 'person_name_key')) return undefined;
    throw error;
  }
}

/**
 * Locks the person, and all changes to their faces, until the transaction ends. A row lock could wait forever while new
 * faces keep arriving, because weaker locks overtake it; an advisory lock is granted in order.
 */
export async function lockPerson(tx: Transaction, id: string): Promise<Person | undefined> {
  await query(tx, `select pg_advisory_xact_lock(${lineOf('?::uuid')})`, [id]);
  return VersionedPerson.lock(tx, id);
}

/**
 * Prevents edits and deletion of these persons until the transaction ends; unknown ids and names are ignored. To
 * prevent deadlocks, changes of faces lock in a fixed order, each step in the order of the ids: first persons with this
 * function, then faces with `lockFaces`, and finally the counts with `addToCounts`.
 */
export const keepPersons = txStatement.rows<
  { id: string; nameKey: string },
  { ids: readonly string[]; nameKeys: readonly string[] }
>(`with line as materialized (
    select pg_advisory_xact_lock_shared(${lineOf('id')})
    from person
    where id = any(cast(:ids as uuid[])) or name_key = any(cast(:nameKeys as text[]))
    order by id
  )
  select id, name_key as "nameKey"
  from person
  where (id = any(cast(:ids as uuid[])) or name_key = any(cast(:nameKeys as text[])))
    and (select count(*) from line) > 0
  order by id
  for key share`);

function lineOf(id: string): string {
  return `hashtextextended(cast(${id} as text), 0)`;
}

/**
 * Adds the changes to the counts. Call this as the last statement of the transaction, because everyone else who changes
 * a face of the same person has to wait from then on. It locks the rows before updating them: an update must not
 * overtake others who are waiting for the row.
 */
export async function addToCounts(tx: Transaction, changes: readonly CountChange[]): Promise<void> {
  const ids = [...new Set(changes.map(({ personId }) => personId))];
  const sum = (id: string, type: FaceMatchType) =>
    changes
      .filter(({ personId }) => personId === id)
      .reduce((total, { from, to }) => total + Number(to === type) - Number(from === type), 0);
  const sql = `with held as materialized (
      select id from person where id = any(cast(:ids as uuid[])) order by id for no key update
    )
    update person
    set ${COUNTED.map(([, column]) => `${column} = person.${column} + change.${column}`).join(', ')}
    from held, unnest(cast(:ids as uuid[]), ${COUNTED.map(([, column]) => `cast(:${column} as integer[])`).join(', ')})
      as change (id, ${COUNTED.map(([, column]) => column).join(', ')})
    where person.id = held.id and change.id = held.id`;
  await query(tx, sql, {
    ids,
    ...Object.fromEntries(
      COUNTED.map(([name, column]) => [column, ids.map((id) => sum(id, FaceMatchType[name]))]),
    ),
  });
}
