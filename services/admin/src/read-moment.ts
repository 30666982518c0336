import { invalidRequest } from '@gatehouse/http';

/** A moment as it was asked for. RFC 3339 has leap seconds and times of day that no calendar of ours has. */
export function readMoment(text: string | undefined, pointer: string): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw invalidRequest(undefined, {
    errors: [{ pointer, message: 'must be an RFC 3339 date and time', code: 'not_a_date_time' }],
  });
}
