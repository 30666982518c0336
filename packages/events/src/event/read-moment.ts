/**
 * Parses a time, if there is one. `none` for a time that does not exist, such as a leap second, or whose year in UTC
 * does not have four digits, as it could be stored but not formatted again.
 */
export function readMoment(text: string | null | undefined): Date | null | 'none' {
  if (text === undefined || text === null) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return 'none';
  return /^[0-9]{4}-/.test(date.toISOString()) ? date : 'none';
}
