import { invalidRequest } from '@gatehouse/http';

/** Parses a time of a query. RFC 3339 allows leap seconds and other times that JavaScript does not support. */
export function readMoment(text: string | undefined, pointer: string): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw invalidRequest(undefined, {
    errors: [{ pointer, message: 'must be an RFC 3339 date and time', code: 'not_a_date_time' }],
  });
}
