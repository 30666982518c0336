import type { PasswordScheme } from '@gatehouse/schema';
import type { Account } from '../account/accounts.ts';
import { arraysOf, statement } from '../postgres/statements.ts';
import { query, type Transaction } from '../postgres/connect.ts';

export interface ImportedAccount {
  id: string;
  email: string;
  emailKey: string;
  displayName: string | undefined;
  role: Account['role'];
  /** Sorted, each once. */
  groups: readonly string[];
  /** Without a password, the owner completes the account by registering. */
  password: { hash: string; scheme: PasswordScheme } | undefined;
}

/** Adds accounts for emails without one; returns their keys, in whose order they are locked, against deadlocks. */
export async function insertMany(tx: Transaction, accounts: readonly ImportedAccount[]) {
  const sql = `insert into account (
      id, email, email_key, display_name, role, groups, signup, password_hash, password_scheme, email_verified_at)
    select id, email, email_key, display_name, role, array(select jsonb_array_elements_text(groups)),
      case when password_hash is null then 'migration' else 'complete' end,
      password_hash, password_scheme,
      case when password_hash is not null then now() end
    from unnest(
      cast(:id as uuid[]), cast(:email as text[]), cast(:emailKey as text[]), cast(:displayName as text[]),
      cast(:role as text[]), cast(:hashes as text[]), cast(:schemes as text[]), cast(:groups as jsonb[]))
      as given (id, email, email_key, display_name, role, password_hash, password_scheme, groups)
    order by email_key
    on conflict (email_key) do nothing
    returning email_key as "emailKey"`;
  return await query.column<string>(tx, sql, {
    ...arraysOf(accounts, 'id', 'email', 'emailKey', 'displayName', 'role'),
    hashes: accounts.map(({ password }) => password?.hash ?? null),
    schemes: accounts.map(({ password }) => password?.scheme ?? null),
    // Arrays of arrays would all need the same length.
    groups: accounts.map(({ groups }) => JSON.stringify(groups)),
  });
}

export const findTaken = statement.column<string, [emailKeys: readonly string[]]>(
  'select email_key as "emailKey" from account where email_key = any(cast(? as text[]))',
);
