import { query, type Transaction } from '../postgres/connect.ts';

/** Deletes what stands for a proof: tokens of begun logins, and codes of sign-ons. Lock the accounts first. */
export async function deleteOf(tx: Transaction, accountIds: readonly string[]): Promise<void> {
  const sql = `with challenge as (
      delete from two_factor_challenge where account_id = any(cast(:accountIds as uuid[]))
    ),
    take_over as (
      delete from session_take_over where account_id = any(cast(:accountIds as uuid[]))
    )
    delete from sign_on_code where account_id = any(cast(:accountIds as uuid[]))`;
  await query(tx, sql, { accountIds });
}
