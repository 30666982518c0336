import type { WriteTransaction } from '@gatehouse/accounts';
import { FaceMatchType, newEvent } from '@gatehouse/events';
import type { Deps } from '../../deps.ts';
import { noSuchPerson } from '../person.ts';
import { clearBySource } from '../purge.ts';
import { addToCounts, keepPersons } from '../store.ts';
import { typeOf } from './match-rules.ts';
import { decideFaces, isConfirmed, isLive, otherPersonsOf, RetryTransaction, writeFaces } from './review.ts';
import type { Decider } from './review.ts';
import { Face, findBySourceId, findMatches, insertMatch, lockOrInsertFace } from './store.ts';
import type { FaceMatch, NewMatch, ReportedFace } from './store.ts';

interface Report {
  personId: string;
  similarity: number;
  face: ReportedFace;
}

/**
 * Stores a face for the person for whom it was reported, as the rules or a caller's `decision` say. A report does not
 * change an existing relation of the face to the person; its relations to other persons count as competing candidates.
 * `undefined`: the face is not similar enough.
 */
export async function reportFaceOf(
  deps: Deps,
  report: Report,
  decision: FaceMatchType | undefined,
  by: Decider,
): Promise<{ face: Face; isNew: boolean } | undefined> {
  return writeFaces(deps, by, async (tx) => {
    const { personId, face } = report;
    const before = await findBySourceId(tx, face.sourceId);
    // Only a confirmation changes the relations to other persons; any other report leaves them as they are.
    const othersOf = (matches: readonly FaceMatch[]) =>
      decision === FaceMatchType.ConfirmedMatch ? otherPersonsOf(matches, personId) : [];
    const kept = new Set(
      (await keepPersons(tx, { ids: [personId, ...othersOf(before)], nameKeys: [] })).map(({ id }) => id),
    );
    if (!kept.has(personId)) throw noSuchPerson(by.refuse);
    if (before.length === 0 && decision === undefined && typeByRules(deps, report, []) === undefined)
      return undefined;
    await clearBySource(tx, face.sourceId);
    const faceId = await lockOrInsertFace(tx, face);
    const matches = await findMatches(tx, [faceId]);
    if (othersOf(matches).some((id) => !kept.has(id))) throw new RetryTransaction();
    const isKnown = matches.some((match) => match.personId === personId);
    const type = isKnown ? undefined : (decision ?? typeByRules(deps, report, matches));
    if (type === undefined) return { face: await standing(tx, face.sourceId, personId), isNew: false };
    if (decision === FaceMatchType.ConfirmedMatch && matches.some(isConfirmed))
      throw by.refuse('conflict', 'The face is confirmed for another person');
    const match = { faceId, personId, type, similarity: report.similarity };
    const added =
      decision === undefined
        ? await addMatch(tx, match, by.request.traceId)
        : await addDecided(tx, match, by);
    if (added === undefined) throw new Error('a face was added and is not there');
    return { face: added, isNew: matches.length === 0 };
  });
}

/** Stores that the rules matched a locked face to a person; returns the face. */
export async function addMatch(tx: WriteTransaction, match: NewMatch, traceId?: string) {
  const { faceId, personId, type } = match;
  await insertMatch(tx, match);
  tx.event(
    newEvent('face.matched', { PersonId: personId, FaceId: faceId, FaceMatchType: type }, { traceId }),
  );
  tx.atEnd(() => addToCounts(tx, [{ personId, to: type }]));
  const [face] = await Face.rows(tx, 'where m.person_id = ? and m.face_id = ?', [personId, faceId]);
  return face;
}

/**
 * The type according to the rules; none for a face that is confirmed to show another person. A face that is matched
 * automatically to one person is not matched automatically to a second one: people have to decide whom it shows.
 */
function typeByRules(
  deps: Pick<Deps, 'faceRules'>,
  { similarity, face: { sharpness } }: Report,
  others: readonly FaceMatch[],
): FaceMatchType | undefined {
  if (others.some(isConfirmed)) return undefined;
  const rivals = others.filter(isLive).map((other) => other.similarity);
  const second = rivals.length === 0 ? undefined : Math.max(...rivals);
  const type = typeOf(deps.faceRules, { sharpness, similarity, second });
  const isTaken = others.some((other) => other.faceMatchType === FaceMatchType.Automatch);
  return type === FaceMatchType.Automatch && isTaken ? FaceMatchType.ProbableMatch : type;
}

async function addDecided(tx: WriteTransaction, match: NewMatch, by: Decider): Promise<Face | undefined> {
  await insertMatch(tx, match);
  const { faceId, type } = match;
  const decisions = [{ faceId, previousType: null, type, reason: null }];
  const [face] = await decideFaces(tx, match.personId, decisions, by);
  return face;
}

/** The face with its current relation to this person, or otherwise with its strongest relation to another person. */
async function standing(tx: WriteTransaction, sourceId: string, personId: string): Promise<Face> {
  const found = await findBySourceId(tx, sourceId);
  const rank = (face: Face) =>
    face.personId === personId ? 4 : isConfirmed(face) ? 3 : isLive(face) ? 2 : face.similarity;
  const [first] = found.toSorted((one, other) => rank(other) - rank(one));
  // Between two of our statements, the face was removed and added again without any relation.
  if (first === undefined) throw new RetryTransaction();
  return first;
}
