import type { ApiName } from '@gatehouse/db';
import type { Answer, World } from '../world.ts';

/** An operation that a service performs for a client in several steps. It may die between them. */
export interface Operation {
  name: string;
  service: ApiName;
  /** Creates everything that one try needs. */
  prepare(world: World): Promise<Try>;
}

export interface Try {
  /** By default `POST`. */
  method?: 'DELETE';
  path: string;
  body: object;
  token?: string;
  /**
   * Checks that what is left is consistent, and continues as the client would, with a running service. Returns checks
   * that must succeed once the mails are sent.
   */
  check(end: End): Promise<(() => Promise<void>) | void>;
}

/** How a try ended. */
export interface End {
  /** The response to the client; `undefined` if the service died before it responded. */
  answer: Answer | undefined;
  /** Whether Postgres received the COMMIT. */
  isCommitted: boolean;
}
