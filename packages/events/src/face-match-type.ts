/** What a face is to a person (specification 2.7). */
export const FaceMatchType = {
  Automatch: 1,
  ProbableMatch: 2,
  NotMatch: 3,
  ConfirmedMatch: 4,
  Blurry: 5,
} as const;
export type FaceMatchType = (typeof FaceMatchType)[keyof typeof FaceMatchType];
