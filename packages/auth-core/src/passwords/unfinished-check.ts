import { Unavailable } from '@gatehouse/runtime';

/**
 * A password check was not finished because of the cost of the account's hash. Unlike checks that are refused because
 * of the load of others, it counts as a failure of the client: it can be caused on purpose, and reveals something
 * about the account.
 */
export class UnfinishedCheck extends Unavailable {
  override name = 'UnfinishedCheck';
  /** Whether a thread worked on it until the time limit; otherwise it waited in the narrow queue. */
  readonly wasBegun: boolean;

  constructor({ wasBegun, cause }: { wasBegun: boolean; cause: unknown }) {
    super('password hashing', { cause });
    this.wasBegun = wasBegun;
  }
}
