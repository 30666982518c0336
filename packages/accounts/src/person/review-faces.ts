import { faces, personPurges, persons, type Face, type FaceMatch } from '@gatehouse/db';
import { FaceMatchType } from '@gatehouse/events';
import type { AccountsDeps } from '../deps.ts';
import { decideFaces, otherPersonsOf, type Decider } from './decide-faces.ts';
import { RetryTransaction, withTransactionRetry, type FaceDeps } from './with-transaction-retry.ts';

/** A decision of a reviewer about a face of a person. */
export interface Review {
  faceId: string;
  type: FaceMatchType;
  reason: string | null;
}

/** The result of the reviews: the faces in their new state, in the given order; or why nothing was changed. */
export type Reviewed =
  | { kind: 'reviewed'; faces: Face[] }
  | { kind: 'unknown_person' }
  | { kind: 'unknown_faces' | 'confirmed_elsewhere'; at: number[] };

/** Reviews faces of a person: all of them, or none. Each face may be given only once. */
export async function reviewFaces(
  deps: FaceDeps & Pick<AccountsDeps, 'relay'>,
  personId: string,
  reviews: readonly Review[],
  by: Decider,
): Promise<Reviewed> {
  const faceIds = reviews.map(({ faceId }) => faceId);
  const confirmedIds = reviews
    .filter(({ type }) => type === FaceMatchType.ConfirmedMatch)
    .map(({ faceId }) => faceId);
  const reviewed = await withTransactionRetry(deps, by.origin, async (tx): Promise<Reviewed> => {
    const others = otherPersonsOf(await faces.findMatches(tx, confirmedIds), personId);
    const kept = new Set((await persons.keep(tx, { ids: [personId, ...others] })).map(({ id }) => id));
    if (!kept.has(personId)) return { kind: 'unknown_person' };
    await faces.lockMany(tx, faceIds);
    await personPurges.clearFaces(tx, faceIds);
    const matches = await faces.findMatches(tx, faceIds);
    const refusal = refusalOf(reviews, matches, personId);
    if (refusal !== undefined) return refusal;
    const concerned = matches.filter(({ faceId }) => confirmedIds.includes(faceId));
    if (otherPersonsOf(concerned, personId).some((id) => !kept.has(id))) throw new RetryTransaction();
    const own = byFace(matches, personId);
    const decisions = reviews.map((review) => ({
      ...review,
      previousType: own.get(review.faceId)?.type ?? null,
    }));
    const decided = byFace(await decideFaces(tx, personId, decisions, by), personId);
    return { kind: 'reviewed', faces: faceIds.flatMap((faceId) => decided.get(faceId) ?? []) };
  });
  if (reviewed.kind === 'reviewed') deps.relay.wake();
  return reviewed;
}

function refusalOf(
  reviews: readonly Review[],
  matches: readonly FaceMatch[],
  personId: string,
): Reviewed | undefined {
  const own = byFace(matches, personId);
  const unknown = placesOf(reviews, ({ faceId }) => !own.has(faceId));
  if (unknown.length > 0) return { kind: 'unknown_faces', at: unknown };
  const elsewhere = new Set(
    matches
      .filter((match) => match.personId !== personId && match.type === FaceMatchType.ConfirmedMatch)
      .map(({ faceId }) => faceId),
  );
  const confirmed = placesOf(
    reviews,
    ({ faceId, type }) => type === FaceMatchType.ConfirmedMatch && elsewhere.has(faceId),
  );
  return confirmed.length > 0 ? { kind: 'confirmed_elsewhere', at: confirmed } : undefined;
}

function placesOf(reviews: readonly Review[], isIncluded: (review: Review) => boolean): number[] {
  return reviews.flatMap((review, at) => (isIncluded(review) ? [at] : []));
}

function byFace<M extends FaceMatch>(matches: readonly M[], personId: string): Map<string, M> {
  return new Map(matches.flatMap((match) => (match.personId === personId ? [[match.faceId, match]] : [])));
}
