/** The most rows that may be changed at once without a fresh proof of the administrator's identity. */
export const UNPROVEN_MAX = 50;
