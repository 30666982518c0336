import {
  faces,
  personPurges,
  persons,
  type Face,
  type FaceMatch,
  type ReportedFace,
  type Transaction,
} from '@gatehouse/db';
import { FaceMatchType } from '@gatehouse/events';
import type { AccountsDeps } from '../deps.ts';
import { decideFaces, otherPersonsOf, type Decider } from './decide-faces.ts';
import { RetryTransaction, withTransactionRetry, type FaceDeps } from './with-transaction-retry.ts';
import { isLive, keepMatch } from './keep-match.ts';
import { typeOf, type FaceRules } from './match-rules.ts';

/** A face that was reported for one person, with its similarity. */
interface Report {
  personId: string;
  similarity: number;
  face: ReportedFace;
}

/** The result of a report; `not_kept`: the face is not similar enough. */
export type ReportedOf =
  | { kind: 'kept'; face: Face; isNew: boolean }
  | { kind: 'not_kept' }
  | { kind: 'unknown_person' }
  | { kind: 'confirmed_elsewhere' };

type Deps = FaceDeps & { faceRules: FaceRules };

/**
 * Stores a face for the person for whom it was reported, as the rules or a caller's `decision` say. A report does not
 * change an existing relation of the face to the person; its relations to other persons count as competing candidates.
 */
export async function reportFaceOf(
  deps: Deps & Pick<AccountsDeps, 'relay'>,
  report: Report,
  decision: FaceMatchType | undefined,
  by: Decider,
): Promise<ReportedOf> {
  const reported = await withTransactionRetry(deps, by.origin, async (tx): Promise<ReportedOf> => {
    const { personId, face } = report;
    const before = await faces.findBySourceId(tx, face.sourceId);
    // Only a confirmation changes the relations to other persons; any other report leaves them as they are.
    const othersOf = (matches: readonly FaceMatch[]): string[] =>
      decision === FaceMatchType.ConfirmedMatch ? otherPersonsOf(matches, personId) : [];
    const kept = new Set(
      (await persons.keep(tx, { ids: [personId, ...othersOf(before)] })).map(({ id }) => id),
    );
    if (!kept.has(personId)) return { kind: 'unknown_person' };
    if (before.length === 0 && decision === undefined && typeByRules(deps, report, []) === undefined) {
      return { kind: 'not_kept' };
    }
    await personPurges.clearBySource(tx, face.sourceId);
    const faceId = await faces.lockOrInsert(tx, face);
    const matches = await faces.findMatches(tx, [faceId]);
    if (othersOf(matches).some((id) => !kept.has(id))) throw new RetryTransaction();
    const isKnown = matches.some((match) => match.personId === personId);
    const type = isKnown ? undefined : (decision ?? typeByRules(deps, report, matches));
    if (type === undefined) {
      return { kind: 'kept', face: await standing(tx, face.sourceId, personId), isNew: false };
    }
    if (decision === FaceMatchType.ConfirmedMatch && matches.some(isConfirmed)) {
      return { kind: 'confirmed_elsewhere' };
    }
    const match = { faceId, personId, type, similarity: report.similarity };
    const added =
      decision === undefined
        ? await keepMatch(tx, match, by.origin.traceId)
        : await addDecided(tx, match, by);
    if (added === undefined) throw new Error('a face was added and is not there');
    return { kind: 'kept', face: added, isNew: matches.length === 0 };
  });
  if (reported.kind === 'kept') deps.relay.wake();
  return reported;
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
  const isTaken = others.some((other) => other.type === FaceMatchType.Automatch);
  return type === FaceMatchType.Automatch && isTaken ? FaceMatchType.ProbableMatch : type;
}

async function addDecided(
  tx: Transaction,
  match: Pick<FaceMatch, 'faceId' | 'personId' | 'type' | 'similarity'>,
  by: Decider,
): Promise<Face | undefined> {
  await faces.insertMatch(tx, match);
  const { faceId, type } = match;
  const decisions = [{ faceId, previousType: null, type, reason: null }];
  const [face] = await decideFaces(tx, match.personId, decisions, by);
  return face;
}

/** The face with its current relation to this person, or otherwise with its strongest relation to another person. */
async function standing(tx: Transaction, sourceId: string, personId: string): Promise<Face> {
  const found = await faces.findBySourceId(tx, sourceId);
  const rank = (face: Face): number =>
    face.personId === personId ? 4 : isConfirmed(face) ? 3 : isLive(face) ? 2 : face.similarity;
  const [first] = found.toSorted((one, other) => rank(other) - rank(one));
  // Between two of our statements, the face was removed and added again without any relation.
  if (first === undefined) throw new RetryTransaction();
  return first;
}

function isConfirmed({ type }: { type: FaceMatchType }): boolean {
  return type === FaceMatchType.ConfirmedMatch;
}
