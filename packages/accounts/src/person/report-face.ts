import {
  faces,
  inTransaction,
  personPurges,
  persons,
  type Db,
  type ReportedFace,
  type Transaction,
} from '@gatehouse/db';
import { type FaceMatchType, type FaceReport } from '@gatehouse/events';
import type { Deadline } from '@gatehouse/runtime';
import { isLive, keepMatch } from './keep-match.ts';
import { propose, type Candidate, type FaceRules } from './match-rules.ts';
import { readName } from './person-name.ts';

/**
 * Stores a face reported by the recognition pipeline for the person it resembles most, if the rules allow it. A face
 * that is already proposed or confirmed stays as it is, however often it is reported; a person for whom it was rejected
 * is no longer a candidate.
 *
 * @returns the stored relation, or `undefined` if nothing changed.
 */
export async function reportFace(
  { db, faceRules }: { db: Db; faceRules: FaceRules },
  { face, candidates: named }: { face: ReportedFace; candidates: FaceReport['Candidates'] },
  deadline: Deadline,
): Promise<FaceMatchType | undefined> {
  const known = await faces.findBySourceId(db, face.sourceId);
  if (known.some(isLive)) return undefined;
  return await inTransaction(db, deadline, async (tx) => {
    const candidates = await findCandidates(tx, named);
    if (propose(faceRules, face.sharpness, candidates) === undefined) return undefined;
    await personPurges.clearBySource(tx, face.sourceId);
    const faceId = await faces.lockOrInsert(tx, face);
    const matches = await faces.findMatches(tx, [faceId]);
    if (matches.some(isLive)) return undefined;
    const refused = new Set(matches.map(({ personId }) => personId));
    const rest = candidates.filter(({ personId }) => !refused.has(personId));
    const proposal = propose(faceRules, face.sharpness, rest);
    if (proposal === undefined) return undefined;
    await keepMatch(tx, { faceId, ...proposal });
    return proposal.type;
  });
}

/** The candidates, each once with its highest similarity; unknown persons are ignored. */
async function findCandidates(tx: Transaction, given: FaceReport['Candidates']): Promise<Candidate[]> {
  const named = given.map(({ PersonId, Name, Similarity }) => ({
    id: PersonId ?? undefined,
    nameKey: PersonId ? undefined : readName(Name ?? '')?.nameKey,
    similarity: Similarity,
  }));
  const found = await persons.keep(tx, {
    ids: named.flatMap(({ id }) => id ?? []),
    nameKeys: named.flatMap(({ nameKey }) => nameKey ?? []),
  });
  const idOfKey = new Map(found.map(({ id, nameKey }) => [nameKey, id]));
  const ids = new Set(found.map(({ id }) => id));
  const similarities = new Map<string, number>();
  for (const { id, nameKey, similarity } of named) {
    const personId = nameKey === undefined ? id : idOfKey.get(nameKey);
    if (personId === undefined || !ids.has(personId)) continue;
    similarities.set(personId, Math.max(similarity, similarities.get(personId) ?? 0));
  }
  return [...similarities].map(([personId, similarity]) => ({ personId, similarity }));
}
