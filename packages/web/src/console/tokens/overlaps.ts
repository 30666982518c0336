const HOUR = 3_600;

/** For how long a replaced token or secret goes on working. */
export const OVERLAPS = [
  ['none', 0],
  ['hour', HOUR],
  ['day', 24 * HOUR],
  ['week', 7 * 24 * HOUR],
  ['month', 30 * 24 * HOUR],
] as const;

export const STANDARD_OVERLAP_SECONDS = 24 * HOUR;
