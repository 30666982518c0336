import type { logIn } from '@gatehouse/accounts/testing';

/** Somebody who is logged in. */
export type Somebody = Awaited<ReturnType<typeof logIn>> & { id: string; email: string };

/** A request of somebody's that writes, as far as it is no matter of its schema. */
export interface Prepared {
  user: Somebody;
  path?: string;
  /** A form is text. */
  body?: object | string;
  address?: string;
}
