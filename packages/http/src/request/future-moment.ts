import { invalidRequest } from '../refusals.ts';

/** A moment that something is to end at: one that has passed, or that no calendar of ours has, is refused. */
export function readFutureMoment(text: string, pointer: string, now: number): Date {
  const moment = new Date(text);
  if (moment.getTime() > now && moment.getUTCFullYear() <= 9999) return moment;
  throw invalidRequest(undefined, {
    errors: [{ pointer, message: 'must be a moment in the future', code: 'malformed' }],
  });
}
