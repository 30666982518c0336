import { invalidRequest } from '@gatehouse/http';

/** Parses the expiry of an account. Postgres and JavaScript support neither leap seconds nor the year 0. */
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
