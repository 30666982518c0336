import { distinctGroups } from '@gatehouse/schema';
import { ADMINISTRATOR, replace, type GroupSource } from './account-groups.ts';
import { disabledNow, ACCOUNT_COLUMNS, type Account } from './accounts.ts';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

export interface ManagedAccount extends Account {
  expiresAt: Date | null;
  /** When it is enabled by itself; `null` if it is not disabled, or only an administrator enables it. */
  disabledUntil: Date | null;
  disabledReason: string | null;
  /** Whether the owner reads the end and the reason at the login. */
  tellsReason: boolean;
  createdAt: Date;
  lastLoginAt: Date | null;
  /** Those of all sources: sorted, each once. */
  groups: string[];
  /** Sorted by label. */
  groupSources: GroupSource[];
  /** When the account will be erased, if an erasure was requested; until then it is disabled. */
  erasesAt: Date | null;
}

const DISABLED = disabledNow('account');

export const MANAGED_COLUMNS = `${ACCOUNT_COLUMNS},
  case when ${DISABLED} then disabled_until end as "disabledUntil",
  case when ${DISABLED} then disabled_reason end as "disabledReason",
  ${DISABLED} and tells_reason as "tellsReason",
  expires_at as "expiresAt", created_at as "createdAt", last_login_at as "lastLoginAt", groups,
  (
    select coalesce(jsonb_agg(jsonb_build_object('label', label, 'source', source) order by label collate "C", source), '[]')
    from account_group
    where account_id = account.id
  ) as "groupSources",
  (
    select erases_at from erasure
    where account_id = account.id and restored_at is null and erased_at is null
  ) as "erasesAt"`;

export const find = statement.row<ManagedAccount, [accountId: string]>(
  `select ${MANAGED_COLUMNS} from account where id = ?`,
);

/** Locks the account, then reads it with a second statement: other tables may have changed while the first waited. */
export async function lock(tx: Transaction, accountId: string): Promise<ManagedAccount | undefined> {
  await query(tx, 'select id from account where id = ? for update', [accountId]);
  return find(tx, accountId);
}

/** Newest first. */
export const findMany = statement.rows<ManagedAccount, [ids: readonly string[]]>(
  `select ${MANAGED_COLUMNS} from account where id = any(?::uuid[]) order by id desc`,
);

/** Omitted fields stay as they are. */
export interface AccountChange {
  isDisabled?: boolean | undefined;
  /** Only for an account that is disabled with this change, or is already. Null: it does not end by itself. */
  disabledUntil?: Date | null | undefined;
  disabledReason?: string | undefined;
  tellsReason?: boolean | undefined;
  isService?: boolean | undefined;
  /** Null: the account never expires. */
  expiresAt?: Date | null | undefined;
  role?: Account['role'] | undefined;
  isTwoFactorRequired?: boolean | undefined;
  isNewPasswordRequired?: boolean | undefined;
  displayName?: string | undefined;
  locale?: string | undefined;
  /** Null: as the installation says. */
  sessionLimit?: number | null | undefined;
  /** All that administrators say; as `distinctGroups` returns them. */
  groups?: readonly string[] | undefined;
}

/** Whether it stays as disabled as it is, so that facts which the change does not mention stay, too. */
const KEPT = `(cast(:isDisabled as boolean) is null or (cast(:isDisabled as boolean) and ${DISABLED}))`;

/** The new value of each column that a change can set, as SQL. Groups have a table of their own. */
const CHANGED_COLUMNS = {
  is_disabled: 'coalesce(cast(:isDisabled as boolean), is_disabled)',
  disabled_until: `case when cast(:setsDisabledUntil as boolean) then cast(:disabledUntil as timestamptz)
    when ${KEPT} then disabled_until end`,
  disabled_reason: `coalesce(cast(:disabledReason as text), case when ${KEPT} then disabled_reason end)`,
  tells_reason: `coalesce(cast(:tellsReason as boolean), ${KEPT} and tells_reason)`,
  is_service: 'coalesce(cast(:isService as boolean), is_service)',
  // Logins in progress and reactivations of sessions compare this version. A new one makes them check the account's
  // permissions again.
  password_version: `password_version
    + case when is_service = coalesce(cast(:isService as boolean), is_service) then 0 else 1 end`,
  expires_at:
    'case when cast(:setsExpiry as boolean) then cast(:expiresAt as timestamptz) else expires_at end',
  content_expired_at: 'case when cast(:setsExpiry as boolean) then null else content_expired_at end',
  expires_at_before: 'case when cast(:setsExpiry as boolean) then null else expires_at_before end',
  role: 'coalesce(cast(:role as text), role)',
  two_factor_required: 'coalesce(cast(:isTwoFactorRequired as boolean), two_factor_required)',
  new_password_required: 'coalesce(cast(:isNewPasswordRequired as boolean), new_password_required)',
  display_name: 'coalesce(cast(:displayName as text), display_name)',
  locale: 'coalesce(cast(:locale as text), locale)',
  session_limit:
    'case when cast(:setsSessionLimit as boolean) then cast(:sessionLimit as smallint) else session_limit end',
} as const;

const CHANGED = Object.entries(CHANGED_COLUMNS)
  .map(([column, changed]) => `${column} = ${changed}`)
  .join(', ');

function changeBindings(change: AccountChange) {
  return {
    isDisabled: change.isDisabled ?? null,
    setsDisabledUntil: change.disabledUntil !== undefined,
    disabledUntil: change.disabledUntil ?? null,
    disabledReason: change.disabledReason ?? null,
    tellsReason: change.tellsReason ?? null,
    isService: change.isService ?? null,
    setsExpiry: change.expiresAt !== undefined,
    expiresAt: change.expiresAt ?? null,
    role: change.role ?? null,
    isTwoFactorRequired: change.isTwoFactorRequired ?? null,
    isNewPasswordRequired: change.isNewPasswordRequired ?? null,
    displayName: change.displayName ?? null,
    locale: change.locale ?? null,
    setsSessionLimit: change.sessionLimit !== undefined,
    sessionLimit: change.sessionLimit ?? null,
  };
}

/** Lock the accounts first. */
export async function updateMany(tx: Transaction, accountIds: readonly string[], change: AccountChange) {
  if (change.groups !== undefined)
    await replace(tx, { accountIds, source: ADMINISTRATOR, labels: change.groups });
  const sql = `update account set ${CHANGED} where id = any(cast(:accountIds as uuid[]))`;
  await query(tx, sql, { accountIds, ...changeBindings(change) });
}

/** The accounts with these ids, newest first, as they would be after the change. */
export async function findAsChanged(
  executor: Executor,
  accountIds: readonly string[],
  change: AccountChange,
): Promise<ManagedAccount[]> {
  const changed = Object.entries(CHANGED_COLUMNS).map(([column, expression]) => `${expression} as ${column}`);
  const sql = `select ${MANAGED_COLUMNS}
    from (
      select id, email, signup, password_scheme, email_verified_at, is_contested, created_at, last_login_at, groups,
        ${changed.join(', ')}
      from account
      where id = any(cast(:accountIds as uuid[]))
    ) account
    order by id desc`;
  const accounts = await query<ManagedAccount>(executor, sql, { accountIds, ...changeBindings(change) });
  const { groups } = change;
  return groups === undefined ? accounts : accounts.map((account) => withOwnGroups(account, groups));
}

function withOwnGroups(account: ManagedAccount, labels: readonly string[]): ManagedAccount {
  const others = account.groupSources.filter(({ source }) => source !== ADMINISTRATOR);
  const groupSources = [...others, ...labels.map((label) => ({ label, source: ADMINISTRATOR }))];
  return { ...account, groupSources, groups: distinctGroups(groupSources.map(({ label }) => label)) };
}

/**
 * Registered by somebody for themselves and never verified: accounts that administrators create wait in another state.
 * What an administrator has decided about it stays.
 */
export const UNVERIFIED = `
  a.role = 'User' and a.signup = 'complete' and a.email_verified_at is null
  and not ${disabledNow('a')} and a.expires_at is null and not a.is_service
  and not exists (select 1 from content_access access where access.account_id = a.id)
  and not exists (select 1 from content_definition c where c.owner_id = a.id)`;

/**
 * Deletes an account of this email that nobody has verified, unless it is the given one; returns its id. Whoever registered it has not shown
 * that the address is theirs, and must not keep an administrator from giving it to somebody.
 */
export const removeUnverified = txStatement.value<
  string,
  [emailKey: string, exceptId: string | undefined]
>(`delete from account a
  where a.email_key = ? and a.id is distinct from cast(? as uuid) and ${UNVERIFIED}
  returning a.id`);
