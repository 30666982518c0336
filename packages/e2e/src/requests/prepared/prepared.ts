import type { logIn } from '@gatehouse/accounts/testing';

/** A logged-in user. */
export type LoggedInUser = Awaited<ReturnType<typeof logIn>> & { id: string; email: string };

/** The parts of a user's writing request that cannot be derived from its schema. */
export interface Prepared {
  user: LoggedInUser;
  path?: string;
  /** A string for forms. */
  body?: object | string;
  address?: string;
}
