import { FaceMatchType } from '@gatehouse/client';
import type { Answer } from '../api/call-api.ts';

export type Person = Answer<'GET /person/{id}'>;
export type Face = Answer<'GET /person/{id}/{faceMatchType}'>['Items'][number];
export type FaceType = Face['FaceMatchType'];

/** What a face is to a person (docs/persons.md), in the order in which one looks at them. */
export const FACE_TYPES = [
  ['ProbableMatch', FaceMatchType.ProbableMatch],
  ['Automatch', FaceMatchType.Automatch],
  ['ConfirmedMatch', FaceMatchType.ConfirmedMatch],
  ['NotMatch', FaceMatchType.NotMatch],
  ['Blurry', FaceMatchType.Blurry],
] as const satisfies readonly (readonly [keyof Person['FaceMatchCounts'], FaceType])[];

/** What people decide, and by which key. */
export const DECISIONS = [
  ['c', FaceMatchType.ConfirmedMatch],
  ['x', FaceMatchType.NotMatch],
  ['b', FaceMatchType.Blurry],
] as const satisfies readonly (readonly [string, FaceType])[];

/** The type that an address names; what has yet to be looked at where it names none. */
export function readFaceType(text: string | undefined): FaceType {
  return FACE_TYPES.find(([, type]) => String(type) === text)?.[1] ?? FaceMatchType.ProbableMatch;
}

/** All faces of a person. */
export function countOfFaces({ FaceMatchCounts }: Person): number {
  return Object.values({ ...FaceMatchCounts }).reduce((sum, count) => sum + count, 0);
}
