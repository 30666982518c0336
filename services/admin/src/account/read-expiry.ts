import { invalidRequest } from '@gatehouse/http';

/** When an account is to expire: what Postgres and every clock can tell; a leap second or the year 0 has no place in them. */
export function readExpiry(given: string | null | undefined, pointer: string): Date | null | undefined {
  if (given === undefined || given === null) return given;
  const moment = new Date(given);
  if (moment.getTime() >= 0 && moment.getUTCFullYear() <= 9999) return moment;
  throw invalidRequest(undefined, {
    errors: [
      {
        pointer,
        message: 'must be a date and time between 1970 and 9999',
        code: 'not_a_date_time',
      },
    ],
  });
}
