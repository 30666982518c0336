/** The time from a field (local) or an address, in UTC for the API; an invalid time is returned unchanged. */
export function momentOf(typed: string | undefined): string | undefined {
  if (typed === undefined || typed === '') return undefined;
  const moment = new Date(typed);
  return Number.isNaN(moment.getTime()) ? typed : moment.toISOString();
}

/** A time as the value of a `datetime-local` field; empty if it is invalid. */
export function localTime(at: string | number): string {
  const moment = new Date(at).getTime();
  if (Number.isNaN(moment)) return '';
  const zoneMs = new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(moment - zoneMs).toISOString().slice(0, 19);
}
