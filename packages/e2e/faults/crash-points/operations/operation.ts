import type { ServiceName } from '@gatehouse/db';
import type { Answer, World } from '../world.ts';

/** Something that a service does at a client's word, in steps between which it may die. */
export interface Operation {
  name: string;
  service: Exclude<ServiceName, 'mail-worker'>;
  /** Makes all that one try needs. */
  prepare(world: World): Promise<Try>;
}

export interface Try {
  /** `POST` where nothing is said. */
  method?: 'DELETE';
  path: string;
  body: object;
  token?: string;
  /**
   * Says whether what is left is whole, and goes on as the client would, with a service that is alive. What it
   * returns holds as soon as the mails are out.
   */
  check(end: End): Promise<(() => Promise<void>) | void>;
}

/** How a try ended. */
export interface End {
  /** The answer to the client; `undefined` when the service died before it answered. */
  answer: Answer | undefined;
  /** Whether Postgres got the COMMIT. */
  isCommitted: boolean;
}
