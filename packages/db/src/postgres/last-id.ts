/** Ids of version 7 sort by time; this one sorts after all of them. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
