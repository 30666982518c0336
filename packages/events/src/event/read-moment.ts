/**
 * Parses a time, if there is one. `none`: a time that no clock shows, such as a leap second, or whose year in UTC has
 * more or fewer than four digits, which could be stored but not written again.
 */
export function readMoment(text: string | null | undefined): Date | null | 'none' {
  if (text === undefined || text === null) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return 'none';
  return /^[0-9]{4}-/.test(date.toISOString()) ? date : 'none';
}
