import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** A change of an account's email that a mailed link can take back. */
export interface EmailChange {
  formerEmail: string;
  formerEmailKey: string;
  changedAt: Date;
}

/** Stores that the holder of a secret may take back a change of email; returns until when, by the database’s clock. */
export async function insert(
  tx: Transaction,
  change: {
    tokenHash: Buffer;
    accountId: string;
    formerEmail: string;
    formerEmailKey: string;
    lifetimeDays: number;
  },
) {
  const sql = `insert into email_change (token_hash, account_id, former_email, former_email_key, expires_at)
    values (:tokenHash, :accountId, :formerEmail, :formerEmailKey, now() + make_interval(days => :lifetimeDays))
    returning expires_at as "expiresAt"`;
  return await query.onlyValue<Date>(tx, sql, change);
}

export async function findAccountId(executor: Executor, tokenHash: Buffer) {
  const sql =
    'select account_id as "accountId" from email_change where token_hash = ? and expires_at > now()';
  return await query.value<string>(executor, sql, [tokenHash]);
}

/**
 * Deletes an account that was registered for the former address of this secret and never verified; returns its id.
 * Before `use`.
 */
export async function freeFormerEmail(tx: Transaction, tokenHash: Buffer) {
  return await query.value<string>(tx, 'select free_former_email(?) as id', [tokenHash]);
}

/**
 * Uses up a secret, and with it those of later changes: only a mailbox that the account had before may undo it. The
 * transaction must have locked the account. `undefined` if the secret was used, or has expired.
 */
export async function use(tx: Transaction, tokenHash: Buffer) {
  const sql = `delete from email_change as later
    using email_change as change
    where change.token_hash = :tokenHash and change.expires_at > now()
      and later.account_id = change.account_id and later.changed_at >= change.changed_at
    returning change.former_email as "formerEmail", change.former_email_key as "formerEmailKey",
      change.changed_at as "changedAt"`;
  return await query.row<EmailChange>(tx, sql, { tokenHash });
}

/** Invalidates every secret of an account: an administrator has decided which email it has. */
export async function deleteAll(tx: Transaction, accountId: string): Promise<void> {
  await query(tx, 'delete from email_change where account_id = ?', [accountId]);
}
