import { UNITS } from '../../ui/locale.ts';

/** The entries of a typed list, separated by commas, spaces or line breaks. */
export function listIn(typed = ''): string[] {
  return typed.split(/[\s,]+/).filter(Boolean);
}

/** The labels of a typed list, which may contain spaces. */
export function labelsIn(typed = ''): string[] {
  return typed.split(/[\n,]/).flatMap((label) => label.trim() || []);
}

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

/** A duration in the largest unit that it fills, for example "15 minutes". */
export function ageOf(seconds: number, locale: string): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / size),
  );
}
