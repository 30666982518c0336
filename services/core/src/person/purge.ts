import { write } from '@gatehouse/accounts';
import { query, txStatement, type Transaction } from '@gatehouse/db';
import { FaceMatchType } from '@gatehouse/events';
import { withinSeconds } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { lockFaces } from './face/store.ts';

/** How many faces one transaction removes: an amount that fits well within a statement's time-out. */
export const FACES_AT_ONCE = 1000;

/** Deletes a person who is locked, with their faces; many faces are removed later, by `purgeFaces`. */
export async function removePerson(tx: Transaction, personId: string): Promise<void> {
  const removed = await removeFaces(tx, personId);
  if (removed === FACES_AT_ONCE)
    await query(tx, 'insert into person_purge (person_id) values (?)', [personId]);
  await query(tx, 'delete from person where id = ?', [personId]);
}

/** Removes the faces of deleted persons that were too many for the request. Any number of processes may call it. */
export async function purgeFaces(
  deps: Parameters<typeof write>[0],
  isStopping: () => boolean,
): Promise<void> {
  let isMore = await query.any(deps.db, 'select 1 from person_purge limit 1');
  while (isMore && !isStopping()) {
    const origin = { ...withinSeconds(10), traceId: newId().replaceAll('-', '') };
    isMore = await write(deps, { actor: { kind: 'System' }, origin }, async (tx) => {
      const personId = await takeOne(tx);
      if (personId === undefined) return false;
      if ((await removeFaces(tx, personId)) < FACES_AT_ONCE)
        await query(tx, 'delete from person_purge where person_id = ?', [personId]);
      return true;
    });
  }
}

/** Locks a deleted person with faces left; skips persons that other processes have locked. */
const takeOne = txStatement.value<string>(`select person_id as "personId"
  from person_purge
  order by created_at
  limit 1
  for update skip locked`);

/**
 * Removes up to `FACES_AT_ONCE` faces of a person who is locked or deleted, with all decisions about them; returns how many. A
 * face that also has a relation to somebody else (mostly a refusal) remains; if it was confirmed to show this person,
 * only its source id remains.
 */
async function removeFaces(tx: Transaction, personId: string): Promise<number> {
  const sql = `select face_id as "faceId" from face_match where person_id = ? limit ?`;
  const faceIds = await query.column<string>(tx, sql, [personId, FACES_AT_ONCE]);
  if (faceIds.length === 0) return 0;
  await lockFaces(tx, faceIds);
  await removeFrom(tx, personId, faceIds);
  return faceIds.length;
}

/** Removes their relations to deleted persons before the purge does: they would conflict with those to others. */
export async function clearFaces(tx: Transaction, faceIds: readonly string[]): Promise<void> {
  const sql = `select distinct person_id as "personId"
    from face_match m
    where face_id = any(?::uuid[]) and not exists (select 1 from person p where p.id = m.person_id)`;
  for (const personId of await query.column<string>(tx, sql, [faceIds]))
    await removeFrom(tx, personId, faceIds);
}

/** `clearFaces` for the face with this source id; the face itself may be removed by this. */
export async function clearBySource(tx: Transaction, sourceId: string): Promise<void> {
  const sql = `select id
    from face
    where source_id = ? and exists (
      select 1 from face_match m
      where m.face_id = face.id and not exists (select 1 from person p where p.id = m.person_id)
    )
    for update`;
  const faceIds = await query.column<string>(tx, sql, [sourceId]);
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
  const match = 'delete from face_match where face_id = any(?::uuid[]) and person_id = ?';
  await query(tx, match, [faceIds, personId]);
  const face = `delete from face
     where id = any(?::uuid[]) and not exists (select 1 from face_match m where m.face_id = face.id)`;
  await query(tx, face, [faceIds]);
}
