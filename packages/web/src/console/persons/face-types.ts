import { FaceMatchType } from 'gatehouse-client';
import type { Answer } from '../api/call-api.ts';

export type Person = Answer<'GET /person/{id}'>;
export type Face = Answer<'GET /person/{id}/{faceMatchType}'>['Items'][number];
export type FaceType = Face['FaceMatchType'];

/** The match types of faces (docs/persons.md), in the order in which they are reviewed. */
export const FACE_TYPES = [
  ['ProbableMatch', FaceMatchType.ProbableMatch],
  ['Automatch', FaceMatchType.Automatch],
  ['ConfirmedMatch', FaceMatchType.ConfirmedMatch],
  ['NotMatch', FaceMatchType.NotMatch],
  ['Blurry', FaceMatchType.Blurry],
] as const satisfies readonly (readonly [keyof Person['FaceMatchCounts'], FaceType])[];

/** The possible decisions, with their keys. */
export const DECISIONS = [
  ['c', FaceMatchType.ConfirmedMatch],
  ['x', FaceMatchType.NotMatch],
  ['b', FaceMatchType.Blurry],
] as const satisfies readonly (readonly [string, FaceType])[];

/** The match type in the address; by default, the probable matches, which need a review. */
export function readFaceType(text: string | undefined): FaceType {
  return FACE_TYPES.find(([, type]) => String(type) === text)?.[1] ?? FaceMatchType.ProbableMatch;
}

/** The total number of a person's faces. */
export function countOfFaces({ FaceMatchCounts }: Person): number {
  return Object.values({ ...FaceMatchCounts }).reduce((sum, count) => sum + count, 0);
}
