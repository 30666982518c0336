import { FaceMatchType } from '@gatehouse/events';
import { query, type Transaction } from '../postgres/connect.ts';
import { lockMany } from './faces.ts';

/** Notes that faces of a deleted person are left; `tx` is the transaction that deletes the person. */
export async function insert(tx: Transaction, personId: string): Promise<void> {
  await query(tx, 'insert into person_purge (person_id) values (?)', [personId]);
}

/** Locks a deleted person with faces left until the transaction ends; skips those that others hold. */
export async function takeOne(tx: Transaction): Promise<string | undefined> {
  const [row] = await query<{ personId: string }>(
    tx,
    `select person_id as "personId"
     from person_purge
     order by created_at
     limit 1
     for update skip locked`,
  );
  return row?.personId;
}

/** Removes the note of a deleted person without faces. */
export async function remove(tx: Transaction, personId: string): Promise<void> {
  await query(tx, 'delete from person_purge where person_id = ?', [personId]);
}

/**
 * Removes up to `max` faces of a person who is locked or deleted, with all decisions about them; returns how many. A
 * face that was confirmed to show this person, and that is also recorded for somebody else, mostly as refused, is
 * kept by its name only.
 */
export async function removeFaces(tx: Transaction, personId: string, max: number): Promise<number> {
  const rows = await query<{ faceId: string }>(
    tx,
    `select face_id as "faceId" from face_match where person_id = ? limit ?`,
    [personId, max],
  );
  const faceIds = rows.map(({ faceId }) => faceId);
  if (faceIds.length === 0) return 0;
  await lockMany(tx, faceIds);
  await removeFrom(tx, personId, faceIds);
  return faceIds.length;
}

/**
 * Removes the relations of these locked faces to deleted persons ahead of the purge: they would be in the way of the
 * present ones.
 */
export async function clearFaces(tx: Transaction, faceIds: readonly string[]): Promise<void> {
  const rows = await query<{ personId: string }>(
    tx,
    `select distinct person_id as "personId"
     from face_match m
     where face_id = any(?::uuid[]) and not exists (select 1 from person p where p.id = m.person_id)`,
    [faceIds],
  );
  for (const { personId } of rows) await removeFrom(tx, personId, faceIds);
}

/** The same for the face with this name at its source, which may be removed by it. */
export async function clearBySource(tx: Transaction, sourceId: string): Promise<void> {
  const rows = await query<{ id: string }>(
    tx,
    `select id
     from face
     where source_id = ? and exists (
       select 1 from face_match m
       where m.face_id = face.id and not exists (select 1 from person p where p.id = m.person_id)
     )
     for update`,
    [sourceId],
  );
  const faceIds = rows.map(({ id }) => id);
  if (faceIds.length > 0) await clearFaces(tx, faceIds);
}

async function removeFrom(tx: Transaction, personId: string, faceIds: readonly string[]): Promise<void> {
  await query(
    tx,
    `update face
     set sharpness = null, image_url = null, bounding_box = null, captured_at = null
     from face_match m
     where face.id = any(?::uuid[]) and m.face_id = face.id
       and m.person_id = ? and m.type = ${FaceMatchType.ConfirmedMatch}`,
    [faceIds, personId],
  );
  await query(tx, 'delete from face_match where face_id = any(?::uuid[]) and person_id = ?', [
    faceIds,
    personId,
  ]);
  await query(
    tx,
    `delete from face
     where id = any(?::uuid[]) and not exists (select 1 from face_match m where m.face_id = face.id)`,
    [faceIds],
  );
}
