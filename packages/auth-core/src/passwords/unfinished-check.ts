import { Unavailable } from '@gatehouse/runtime';

/**
 * A password was not checked to the end, for what the hash of its account costs. Unlike work that is refused because of
 * everybody's, it counts against who asked: it can be asked for on purpose, and tells something of the account.
 */
export class UnfinishedCheck extends Unavailable {
  override name = 'UnfinishedCheck';
  /** Whether a thread worked for it until its time was over; otherwise it had no turn of the narrow queue. */
  readonly wasBegun: boolean;

  constructor({ wasBegun, cause }: { wasBegun: boolean; cause: unknown }) {
    super('password hashing', { cause });
    this.wasBegun = wasBegun;
  }
}
