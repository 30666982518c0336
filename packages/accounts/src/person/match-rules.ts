import { FaceMatchType } from '@gatehouse/events';

/** From which similarity and sharpness on a face is what, 0 to 1 each (the settings `FACE_…`). */
export interface FaceRules {
  sharpnessFloor: number;
  automatchThreshold: number;
  /** How far ahead of the second an automatic match must be. */
  margin: number;
  probableThreshold: number;
}

/** A person whom a face may show. */
export interface Candidate {
  personId: string;
  similarity: number;
}

type Machine =
  typeof FaceMatchType.Automatch | typeof FaceMatchType.ProbableMatch | typeof FaceMatchType.Blurry;

/**
 * How a face matches the person it resembles most (docs/persons.md); `undefined` when it is not worth keeping. A face
 * of unknown sharpness counts as sharp. `second` is the similarity to the next candidate.
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

/** 0.95 is ahead of 0.9 by 0.04999… in binary fractions. */
const ROUNDING = 1e-9;

/** Whom a face is kept for, and as what: the likest, the first of several that are alike. */
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
