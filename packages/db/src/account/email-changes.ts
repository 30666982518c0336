import { statement, txStatement } from '../postgres/statements.ts';

/** Stores that the holder of a secret may take back a change of email; returns until when, by the database’s clock. */
export const insert = txStatement.onlyValue<
  Date,
  {
    tokenHash: Buffer;
    accountId: string;
    formerEmail: string;
    formerEmailKey: string;
    lifetimeDays: number;
  }
>(`insert into email_change (token_hash, account_id, former_email, former_email_key, expires_at)
  values (:tokenHash, :accountId, :formerEmail, :formerEmailKey, now() + make_interval(days => :lifetimeDays))
  returning expires_at as "expiresAt"`);

export const findAccountId = statement.value<string, [tokenHash: Buffer]>(
  'select account_id as "accountId" from email_change where token_hash = ? and expires_at > now()',
);

/** Deletes an unverified account of this secret's former address; returns its id. Before `use`. */
export const freeFormerEmail = txStatement.value<string, [tokenHash: Buffer]>(
  'select free_former_email(?) as id',
);

/**
 * Uses up a secret, and with it those of later changes: only a mailbox that the account had before may undo it. The
 * transaction must have locked the account. `undefined` if the secret was used, or has expired.
 */
export const use = txStatement.row<
  { formerEmail: string; formerEmailKey: string; changedAt: Date },
  [tokenHash: Buffer]
>(`delete from email_change as later
  using email_change as change
  where change.token_hash = ? and change.expires_at > now()
    and later.account_id = change.account_id and later.changed_at >= change.changed_at
  returning change.former_email as "formerEmail", change.former_email_key as "formerEmailKey",
    change.changed_at as "changedAt"`);

/** Invalidates every secret of an account: an administrator has decided which email it has. */
export const deleteAll = txStatement.run<[accountId: string]>(
  'delete from email_change where account_id = ?',
);
