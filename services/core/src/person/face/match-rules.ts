import { FaceMatchType } from '@gatehouse/events';

/** The thresholds of similarity and sharpness for each type of match, 0 to 1 each (the settings `FACE_…`). */
export interface FaceRules {
  sharpnessFloor: number;
  automatchThreshold: number;
  /** How far the similarity of an automatic match must exceed that of the second candidate. */
  margin: number;
  probableThreshold: number;
}

export interface Candidate {
  personId: string;
  similarity: number;
}

type Machine = Exclude<FaceMatchType, typeof FaceMatchType.NotMatch | typeof FaceMatchType.ConfirmedMatch>;

/**
 * How a face matches the person it resembles most (docs/persons.md); `undefined` if it is not worth storing. A face of
 * unknown sharpness counts as sharp. `second` is the similarity to the next candidate.
 */
export function typeOf(
  rules: FaceRules,
  face: { sharpness: number | null; similarity: number; second: number | undefined },
): Machine | undefined {
  const { sharpness, similarity, second } = face;
  if (sharpness !== null && sharpness < rules.sharpnessFloor) return FaceMatchType.Blurry;
  const isAhead = second === undefined || similarity - second >= rules.margin - ROUNDING;
  if (similarity >= rules.automatchThreshold && isAhead) return FaceMatchType.Automatch;
  return similarity >= rules.probableThreshold ? FaceMatchType.ProbableMatch : undefined;
}

/** A tolerance for rounding: in binary fractions, 0.95 - 0.9 is 0.04999… */
const ROUNDING = 1e-9;

/** The person to store a face for, and the type of match: the most similar one, or the first of several. */
export function propose(
  rules: FaceRules,
  sharpness: number | null,
  candidates: readonly Candidate[],
): (Candidate & { type: Machine }) | undefined {
  const [best, second] = candidates.toSorted((one, other) => other.similarity - one.similarity);
  if (best === undefined) return undefined;
  const type = typeOf(rules, { sharpness, similarity: best.similarity, second: second?.similarity });
  return type && { ...best, type };
}
