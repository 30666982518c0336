import { FaceMatchType } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { LAST_ID } from '../postgres/last-id.ts';

/** A rectangle in an image, as fractions of its width and height; with the field names of the API, as it is stored. */
export interface BoundingBox {
  Left: number;
  Top: number;
  Width: number;
  Height: number;
}

/** A reported face. */
export interface ReportedFace {
  sourceId: string;
  sharpness: number | null;
  imageUrl: string | null;
  boundingBox: BoundingBox | null;
  capturedAt: Date | null;
}

/** How a face relates to a person. */
export interface FaceMatch {
  faceId: string;
  personId: string;
  type: FaceMatchType;
  similarity: number;
  /** The account or static API token that decided; null for the service itself. */
  decidedBy: string | null;
  decidedAt: Date | null;
  reason: string | null;
}

export type Face = ReportedFace & FaceMatch;

/** A decision about a face of a person. */
export interface Decision {
  faceId: string;
  previousType: FaceMatchType | null;
  type: FaceMatchType;
  reason: string | null;
}

const MATCH_COLUMNS = `m.face_id as "faceId", m.person_id as "personId", m.type, m.similarity,
  m.decided_by as "decidedBy", m.decided_at as "decidedAt", m.reason`;
const COLUMNS = `${MATCH_COLUMNS}, f.source_id as "sourceId", f.sharpness, f.image_url as "imageUrl",
  f.bounding_box as "boundingBox", f.captured_at as "capturedAt"`;

/** The relations of the face with this source id to all persons who are not deleted; empty if there are none. */
export async function findBySourceId(executor: Executor, sourceId: string): Promise<Face[]> {
  return await query<Face>(
    executor,
    `select ${COLUMNS}
     from face f join face_match m on m.face_id = f.id
     where f.source_id = ? and exists (select 1 from person p where p.id = m.person_id)`,
    [sourceId],
  );
}

/** These faces of a person, in no order; unknown ids are ignored. */
export async function findOfPerson(
  executor: Executor,
  personId: string,
  faceIds: readonly string[],
): Promise<Face[]> {
  return await query<Face>(
    executor,
    `select ${COLUMNS}
     from face_match m join face f on f.id = m.face_id
     where m.person_id = ? and m.face_id = any(?::uuid[])`,
    [personId, faceIds],
  );
}

/**
 * Up to `max` faces of one type that a person has, newest first, after `beforeId`. The page is selected before its
 * faces are looked up: with a plain join, Postgres may read all faces that are newer than the page.
 */
export async function findNewest(
  executor: Executor,
  options: { personId: string; type: FaceMatchType; beforeId: string | undefined; max: number },
): Promise<Face[]> {
  const { personId, type, beforeId = LAST_ID, max } = options;
  return await query<Face>(
    executor,
    `select ${COLUMNS}
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
     order by m.face_id desc`,
    [personId, type, beforeId, max],
  );
}

/**
 * Locks the face with this source id until the transaction ends, adding it if it does not exist, and returns its id. A
 * single statement: a face that is removed meanwhile is added again.
 */
export async function lockOrInsert(tx: Transaction, face: ReportedFace): Promise<string> {
  const [row] = await query<{ id: string }>(
    tx,
    `insert into face (id, source_id, sharpness, image_url, bounding_box, captured_at)
     values (?, ?, ?, ?, ?::jsonb, ?)
     on conflict (source_id) do update set source_id = face.source_id
     returning id`,
    [
      newId(),
      face.sourceId,
      face.sharpness,
      face.imageUrl,
      face.boundingBox && JSON.stringify(face.boundingBox),
      face.capturedAt,
    ],
  );
  if (row === undefined) throw new Error('a face was neither added nor found');
  return row.id;
}

/** Locks faces until the transaction ends. Lock persons before this (`persons.keep`), and read faces after it. */
export async function lockMany(tx: Transaction, faceIds: readonly string[]): Promise<void> {
  await query(tx, 'select id from face where id = any(?::uuid[]) order by id for update', [faceIds]);
}

/** The relations of these faces to all persons, including deleted persons until `personPurges` has removed them. */
export async function findMatches(executor: Executor, faceIds: readonly string[]): Promise<FaceMatch[]> {
  if (faceIds.length === 0) return [];
  return await query<FaceMatch>(
    executor,
    `select ${MATCH_COLUMNS} from face_match m where m.face_id = any(?::uuid[])`,
    [faceIds],
  );
}

/** Adds the relation of a locked face to a person. */
export async function insertMatch(
  tx: Transaction,
  match: Pick<FaceMatch, 'faceId' | 'personId' | 'type' | 'similarity'>,
): Promise<void> {
  await query(tx, 'insert into face_match (face_id, person_id, type, similarity) values (?, ?, ?, ?)', [
    match.faceId,
    match.personId,
    match.type,
    match.similarity,
  ]);
}

/** Changes the relations of locked faces to a person, and stores the decisions; returns the faces. */
export async function decide(
  tx: Transaction,
  personId: string,
  decisions: readonly Decision[],
  decidedBy: string,
): Promise<Face[]> {
  return await query<Face>(
    tx,
    `with decision as (
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
     returning ${COLUMNS}`,
    {
      ids: decisions.map(() => newId()),
      faceIds: decisions.map(({ faceId }) => faceId),
      previousTypes: decisions.map(({ previousType }) => previousType),
      types: decisions.map(({ type }) => type),
      reasons: decisions.map(({ reason }) => reason),
      personId,
      decidedBy,
    },
  );
}

/** Removes the relations of locked faces to all other persons, except refusals; returns what was removed. */
export async function withdraw(
  tx: Transaction,
  faceIds: readonly string[],
  exceptPersonId: string,
): Promise<Pick<FaceMatch, 'personId' | 'type'>[]> {
  if (faceIds.length === 0) return [];
  return await query<Pick<FaceMatch, 'personId' | 'type'>>(
    tx,
    `delete from face_match
     where face_id = any(?::uuid[]) and person_id <> ? and type <> ${FaceMatchType.NotMatch}
     returning person_id as "personId", type`,
    [faceIds, exceptPersonId],
  );
}
