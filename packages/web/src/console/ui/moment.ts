/** A moment as the API takes it, from what fields of local time or an address hold; as it was typed where it is none. */
export function momentOf(typed: string | undefined): string | undefined {
  if (typed === undefined || typed === '') return undefined;
  const moment = new Date(typed);
  return Number.isNaN(moment.getTime()) ? typed : moment.toISOString();
}

/** A moment as fields of local time hold it; nothing where it is none. */
export function localTime(at: string | number): string {
  const moment = new Date(at).getTime();
  if (Number.isNaN(moment)) return '';
  const zoneMs = new Date(moment).getTimezoneOffset() * 60_000;
  return new Date(moment - zoneMs).toISOString().slice(0, 19);
}
