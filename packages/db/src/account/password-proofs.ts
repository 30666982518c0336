import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { isDuplicate } from '../postgres/faults.ts';

/** The salt and cost of an account’s bcrypt hash, its first 29 characters; `undefined` without a password. */
export async function findSalt(executor: Executor, accountId: string): Promise<string | undefined> {
  const [row] = await query<{ salt: string | null }>(executor, 'select password_salt(?) as salt', [
    accountId,
  ]);
  return row?.salt ?? undefined;
}

/**
 * Whether a hash made with the account’s salt equals its password's hash; `undefined` after too many wrong guesses for
 * an administrator. The database counts these itself, because an attacker may control the service.
 */
export async function check(
  executor: Executor,
  accountId: string,
  proof: string,
): Promise<boolean | undefined> {
  const sql = 'select prove_password(?, ?) as "isRight"';
  const [row] = await query<{ isRight: boolean | null }>(executor, sql, [accountId, proof]);
  return row?.isRight ?? undefined;
}

/** Sets a password that the owner chose; `false` if the proof does not match the current password. */
export async function changePassword(
  tx: Transaction,
  accountId: string,
  { proof, passwordHash }: { proof: string; passwordHash: string },
): Promise<boolean> {
  return isDone(tx, 'select change_password(?, ?, ?) as "isDone"', [accountId, proof, passwordHash]);
}

/**
 * Allows the email to be changed within a day, once the owner has proved the new address; `false` if the proof does not
 * match the current password.
 */
export async function beginEmailChange(
  tx: Transaction,
  accountId: string,
  { proof, email, emailKey }: { proof: string; email: string; emailKey: string },
): Promise<boolean> {
  const sql = 'select begin_email_change(?, ?, ?, ?) as "isDone"';
  return isDone(tx, sql, [accountId, proof, email, emailKey]);
}

/**
 * Changes the email to the new address, which the owner has proved. After `taken`, the transaction can only be rolled
 * back. `unasked`: this change was not requested with the current password.
 */
export async function finishEmailChange(
  tx: Transaction,
  accountId: string,
  emailKey: string,
): Promise<'done' | 'taken' | 'unasked'> {
  const sql = 'select finish_email_change(?, ?) as "isDone"';
  try {
    return (await isDone(tx, sql, [accountId, emailKey])) ? 'done' : 'unasked';
  } catch (error) {
    if (isDuplicate(error, 'account_email_key')) return 'taken';
    throw error;
  }
}

async function isDone(tx: Transaction, sql: string, bindings: readonly string[]): Promise<boolean> {
  const [row] = await query<{ isDone: boolean }>(tx, sql, bindings);
  return row?.isDone === true;
}
