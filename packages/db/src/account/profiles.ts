import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** An account as its owner sees it. */
export interface Profile {
  id: string;
  email: string;
  displayName: string | null;
  locale: string;
  role: 'User' | 'Guest' | 'Admin';
  hasPassword: boolean;
  isTwoFactorEnabled: boolean;
  isTwoFactorRequired: boolean;
  /** Unused recovery codes. */
  recoveryCodesLeft: number;
  createdAt: Date;
}

const COLUMNS = `
  id, email, display_name as "displayName", locale, role, created_at as "createdAt",
  exists (
    select 1 from two_factor where account_id = account.id and enabled_at is not null
  ) as "isTwoFactorEnabled",
  two_factor_required as "isTwoFactorRequired", password_scheme is not null as "hasPassword",
  (
    select count(*)::integer from recovery_code where account_id = account.id and used_at is null
  ) as "recoveryCodesLeft"`;

export async function find(executor: Executor, accountId: string): Promise<Profile | undefined> {
  const [row] = await query<Profile>(executor, `select ${COLUMNS} from account where id = ?`, [accountId]);
  return row;
}

/** Changes the given fields; returns the new profile. */
export async function update(
  tx: Transaction,
  accountId: string,
  given: { displayName: string | undefined; locale: string | undefined },
): Promise<Profile | undefined> {
  const [row] = await query<Profile>(
    tx,
    `update account
     set display_name = coalesce(?, display_name), locale = coalesce(?, locale)
     where id = ?
     returning ${COLUMNS}`,
    [given.displayName ?? null, given.locale ?? null, accountId],
  );
  return row;
}
