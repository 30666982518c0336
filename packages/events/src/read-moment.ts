/**
 * The moment that was written, if any; `none` for one that no clock shows, such as a leap second, or whose year in
 * UTC has no four digits: it could be kept, but not be written down again.
 */
export function readMoment(text: string | null | undefined): Date | null | 'none' {
  if (text === undefined || text === null) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return 'none';
  return /^[0-9]{4}-/.test(date.toISOString()) ? date : 'none';
}
