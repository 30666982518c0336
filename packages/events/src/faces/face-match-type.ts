/** How a face relates to a person. */
export const FaceMatchType = {
  Automatch: 1,
  ProbableMatch: 2,
  NotMatch: 3,
  ConfirmedMatch: 4,
  Blurry: 5,
} as const;
export type FaceMatchType = (typeof FaceMatchType)[keyof typeof FaceMatchType];
