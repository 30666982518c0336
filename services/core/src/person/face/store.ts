import { LAST_ID, query, txStatement, type Executor, type Transaction } from '@gatehouse/db';
import { BoundingBox, FaceMatchType, Share } from '@gatehouse/events';
import { computed, record, timeOrNull, type RowOf } from '@gatehouse/kit';
import { Integers, Nullable, Type, Uuid } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';

const fields = {
  id: computed(Uuid(), 'm.face_id'),
  personId: Uuid(),
  faceMatchType: computed(Integers(FaceMatchType, 'FaceMatchType'), 'm.type'),
  similarity: Share(),
  sharpness: computed(Nullable(Type.Number()), 'f.sharpness'),
  imageUrl: computed(Nullable(Type.String()), 'f.image_url'),
  sourceId: computed(Type.String(), 'f.source_id'),
  boundingBox: computed(Nullable(BoundingBox()), 'f.bounding_box'),
  capturedAt: timeOrNull({}, 'f.captured_at'),
  /** The account or static API token that decided; null for the service itself. */
  decidedBy: Nullable(Uuid()),
  decidedAt: timeOrNull(),
  reason: Nullable(Type.String()),
};
const tables = 'face_match m join face f on f.id = m.face_id';

export const Face = record('face_match', fields, { name: 'Face', from: { tables, alias: 'm' } });
export type Face = RowOf<typeof fields>;

export type FaceMatch = Pick<Face, 'id' | 'personId' | 'faceMatchType' | 'similarity'>;

export type ReportedFace = Pick<Face, 'sourceId' | 'sharpness' | 'imageUrl' | 'boundingBox' | 'capturedAt'>;

export type NewMatch = Pick<Face, 'personId' | 'similarity'> & { faceId: string; type: FaceMatchType };

/** A decision about a face of a person; without a previous type if the face had no relation to the person. */
export interface Decision {
  faceId: string;
  previousType: FaceMatchType | null;
  type: FaceMatchType;
  reason: string | null;
}

/** The relations of the face with this source id to all persons who are not deleted; empty if there are none. */
export async function findBySourceId(executor: Executor, sourceId: string): Promise<Face[]> {
  const rest = `where f.source_id = ? and exists (select 1 from person p where p.id = m.person_id)`;
  return Face.rows(executor, rest, [sourceId]);
}

/** The page is selected before its faces are looked up: with a plain join, Postgres may read all newer faces. */
export async function findNewestFaces(
  executor: Executor,
  options: { personId: string; type: FaceMatchType; beforeId: string | undefined; max: number },
) {
  const { personId, type, beforeId = LAST_ID, max } = options;
  const sql = `select ${Face.columns}
    from (
      select face_id, person_id, type, similarity, decided_by, decided_at, reason
      from face_match
      where person_id = ? and type = ? and face_id < ?
      order by face_id desc
      limit ?
    ) m
    cross join lateral (
      select source_id, sharpness, image_url, bounding_box, captured_at
      from face
      where id = m.face_id
      limit 1
    ) f
    order by m.face_id desc`;
  return await query<Face>(executor, sql, [personId, type, beforeId, max]);
}

/** Locks or adds the face with this source id, in one statement: one that is removed meanwhile is added again. */
export async function lockOrInsertFace(tx: Transaction, face: ReportedFace) {
  const sql = `insert into face (id, source_id, sharpness, image_url, bounding_box, captured_at)
    values (?, ?, ?, ?, ?::jsonb, ?)
    on conflict (source_id) do update set source_id = face.source_id
    returning id`;
  return await query.onlyValue<string>(tx, sql, [
    newId(),
    face.sourceId,
    face.sharpness,
    face.imageUrl,
    face.boundingBox && JSON.stringify(face.boundingBox),
    face.capturedAt,
  ]);
}

/** Locks faces until the transaction ends. Lock persons before this (`keepPersons`), and read faces after it. */
export const lockFaces = txStatement.run<[faceIds: readonly string[]]>(
  'select id from face where id = any(?::uuid[]) order by id for update',
);

/** The relations of these faces to all persons, including deleted persons until `purgeFaces` has removed them. */
export async function findMatches(executor: Executor, faceIds: readonly string[]): Promise<FaceMatch[]> {
  if (faceIds.length === 0) return [];
  const sql = `select face_id as id, person_id as "personId", type as "faceMatchType", similarity
    from face_match where face_id = any(?::uuid[])`;
  return await query<FaceMatch>(executor, sql, [faceIds]);
}

export const insertMatch = txStatement.run<NewMatch>(`
  insert into face_match (face_id, person_id, type, similarity)
  values (:faceId, :personId, :type, :similarity)`);

export async function decide(
  tx: Transaction,
  personId: string,
  decisions: readonly Decision[],
  decidedBy: string,
) {
  const sql = `with decision as (
      select *
      from unnest(
        cast(:ids as uuid[]), cast(:faceIds as uuid[]), cast(:previousTypes as smallint[]),
        cast(:types as smallint[]), cast(:reasons as text[])
      ) as decision (id, face_id, previous_type, type, reason)
    ), kept as (
      insert into face_review (id, face_id, person_id, previous_type, type, reason, decided_by)
      select id, face_id, :personId, previous_type, type, reason, :decidedBy
      from decision
    )
    update face_match m
    set type = decision.type, reason = decision.reason, decided_by = :decidedBy, decided_at = now()
    from decision join face f on f.id = decision.face_id
    where m.face_id = decision.face_id and m.person_id = :personId
    returning ${Face.columns}`;
  return await query<Face>(tx, sql, {
    ids: decisions.map(() => newId()),
    faceIds: decisions.map(({ faceId }) => faceId),
    previousTypes: decisions.map(({ previousType }) => previousType),
    types: decisions.map(({ type }) => type),
    reasons: decisions.map(({ reason }) => reason),
    personId,
    decidedBy,
  });
}

/** Removes the relations of locked faces to all other persons, except refusals; returns what was removed. */
export async function withdraw(tx: Transaction, faceIds: readonly string[], exceptPersonId: string) {
  if (faceIds.length === 0) return [];
  const sql = `delete from face_match
    where face_id = any(?::uuid[]) and person_id <> ? and type <> ${FaceMatchType.NotMatch}
    returning person_id as "personId", type as "faceMatchType"`;
  return await query<Pick<FaceMatch, 'personId' | 'faceMatchType'>>(tx, sql, [faceIds, exceptPersonId]);
}
