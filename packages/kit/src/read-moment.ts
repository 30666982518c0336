import { readMoment as parse } from '@gatehouse/events';
import { invalidField } from '@gatehouse/http';

/**
 * Parses a time of a request. RFC 3339 also allows leap seconds, which JavaScript does not support, and, by the offset,
 * years after 9999 in UTC, which responses cannot contain.
 */
export function readMoment(text: string | undefined, pointer: string): Date | undefined {
  const moment = parse(text);
  if (moment !== 'none') return moment ?? undefined;
  throw invalidField(pointer, 'must be an RFC 3339 date and time', 'not_a_date_time');
}
