import { invalidRequest } from '../refusals.ts';

/** Parses an end time. Times that have passed or have a year above 9999 are refused. */
export function readFutureMoment(text: string, pointer: string, now: number): Date {
  const moment = new Date(text);
  if (moment.getTime() > now && moment.getUTCFullYear() <= 9999) return moment;
  throw invalidRequest(undefined, {
    errors: [{ pointer, message: 'must be a moment in the future', code: 'malformed' }],
  });
}
