import type { FirstFactor } from '../session/authentication.ts';
import { statement, txStatement } from '../postgres/statements.ts';

export interface TwoFactorChallenge {
  accountId: string;
  firstFactor: FirstFactor;
  /** The secret to set up; `null` if a code of the account’s existing authenticator is requested. */
  secretSealed: Buffer | null;
  deviceName: string | null;
  sessionTag: string | null;
}

const COLUMNS = `
  challenge.account_id as "accountId", challenge.first_factor as "firstFactor", challenge.secret_sealed as "secretSealed",
  challenge.device_name as "deviceName", challenge.session_tag as "sessionTag"`;

// If the password was changed or removed, the first step of this login is no longer valid.
const IS_VALID = `
  account.id = challenge.account_id
  and challenge.password_version = account.password_version
  and challenge.expires_at > now()`;

/** Adds a challenge; `false` if the password has changed since it was checked. */
export const insert = txStatement.any<{
  tokenHash: Buffer;
  accountId: string;
  firstFactor: FirstFactor;
  passwordVersion: number;
  secretSealed: Buffer | undefined;
  deviceName: string | undefined;
  sessionTag: string | undefined;
  tries: number;
  lifetimeSeconds: number;
}>(`insert into two_factor_challenge (
    token_hash, account_id, first_factor, password_version, secret_sealed, device_name, session_tag, tries_left,
    expires_at)
  select :tokenHash, id, :firstFactor, password_version, cast(:secretSealed as bytea),
    :deviceName, :sessionTag, cast(:tries as smallint), now() + make_interval(secs => :lifetimeSeconds)
  from account
  where id = :accountId and password_version = :passwordVersion
  returning account_id`);

/** The challenge of a token, if it is still valid. */
export const find = statement.row<TwoFactorChallenge, [tokenHash: Buffer]>(`select ${COLUMNS}
  from two_factor_challenge challenge, account
  where challenge.token_hash = ? and challenge.tries_left > 0 and ${IS_VALID}`);

/** Uses one of the remaining tries; `false` if none is left. */
export const takeTry = statement.any<[tokenHash: Buffer]>(`update two_factor_challenge
  set tries_left = tries_left - 1
  where token_hash = ? and tries_left > 0
  returning account_id`);

/** Uses up a challenge; `false` if another request used it first, or it is no longer valid. */
export const use = txStatement.any<[tokenHash: Buffer]>(`delete from two_factor_challenge challenge
  using account
  where challenge.token_hash = ? and ${IS_VALID}
  returning challenge.account_id`);
