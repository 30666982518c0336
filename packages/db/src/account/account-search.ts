import { disabledNow, type Account } from './accounts.ts';
import { contains, either, ordered, searchKey, since, textMatch, until } from '../search/filters.ts';
import type { Filters } from '../search/filters.ts';
import { findMany, MANAGED_COLUMNS, type ManagedAccount } from './account-admin.ts';
import { query, type Executor } from '../postgres/connect.ts';
import { allOf, defineList } from '../search/list.ts';

export interface AccountFilter {
  ids?: readonly string[] | undefined;
  /** A part of the email or the name, regardless of case and accents. */
  search?: string | undefined;
  role?: Account['role'] | undefined;
  emailKey?: string | undefined;
  /** The status that the next login with the correct password would return. */
  loginStatus?: number | undefined;
  hasTwoFactor?: boolean | undefined;
  hasPassword?: boolean | undefined;
  hasPasskey?: boolean | undefined;
  isService?: boolean | undefined;
  disabledUntilBefore?: Date | undefined;
  group?: string | undefined;
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
  /** Neither logged in nor created since; no service accounts, which log in only when they have something to do. */
  lastLoginBefore?: Date | undefined;
  /** Whether the account is among those that must wait after failed logins. */
  throttled?: { is: boolean; emailKeys: readonly string[]; accountIds: readonly string[] } | undefined;
}

const IS_ENABLED = `not ${disabledNow('account')} and (expires_at is null or expires_at > now())`;
const IS_VERIFIED = `${IS_ENABLED} and signup = 'complete' and email_verified_at is not null`;
const IS_OPEN = `${IS_VERIFIED} and not new_password_required`;
const HAS_TWO_FACTOR =
  'exists (select 1 from two_factor where account_id = account.id and enabled_at is not null)';

const HAS_PASSKEY = 'exists (select 1 from passkey where account_id = account.id)';

/** With the precedence of `conditionOf` in packages/accounts, and the text of partial indexes, hence no parameters. */
const IS_IN_STATUS: Record<number, string> = {
  1: `${IS_OPEN} and two_factor_required and not ${HAS_TWO_FACTOR}`,
  2: `${IS_OPEN} and ${HAS_TWO_FACTOR}`,
  3: disabledNow('account'),
  4: `${IS_ENABLED} and signup = 'complete' and email_verified_at is null`,
  5: `${IS_ENABLED} and signup = 'new'`,
  6: `${IS_ENABLED} and signup = 'migration'`,
  7: `${IS_VERIFIED} and new_password_required`,
  8: `not ${disabledNow('account')} and expires_at <= now()`,
  9: `${IS_ENABLED} and signup = 'invitation'`,
};

/** The text that is searched, in exactly the expression of the index `account_search_key`. */
export function searchedOf(account: string): string {
  return searchKey(`${account}.email || ' ' || coalesce(${account}.display_name, '')`);
}

/** For an account that has never logged in, the time of its creation. */
const LAST_ACTIVE = 'coalesce(last_login_at, created_at)';

const IS_THROTTLED =
  '(email_key = any(cast(:throttledKeys as text[])) or id = any(cast(:throttledIds as uuid[])))';

const FILTERS: Filters<AccountFilter> = {
  ids: ordered('id = any(cast(:ids as uuid[]))'),
  search: contains(searchedOf('account')),
  role: ordered('role = :role'),
  emailKey: ordered('email_key = :emailKey'),
  loginStatus: (status) => ({ ordered: [IS_IN_STATUS[status] ?? 'false'] }),
  hasTwoFactor: either(
    { ordered: ['id in (select account_id from two_factor where enabled_at is not null)'] },
    { sieve: [`not ${HAS_TWO_FACTOR}`] },
  ),
  hasPassword: either({ sieve: ['password_scheme is not null'] }, { ordered: ['password_hash is null'] }),
  hasPasskey: either(
    { ordered: ['id in (select account_id from passkey)'] },
    { sieve: [`not ${HAS_PASSKEY}`] },
  ),
  isService: either({ ordered: ['is_service'] }, { sieve: ['not is_service'] }),
  group: (group) => ({
    sieve: ['groups @> cast(:group as text[])'],
    bindings: { group: [group] },
    isIndexed: true,
  }),
  throttled: ({ is, emailKeys, accountIds }) => ({
    ...(is ? { ordered: [IS_THROTTLED] } : { sieve: [`not ${IS_THROTTLED}`] }),
    bindings: { throttledKeys: emailKeys, throttledIds: accountIds },
  }),
  disabledUntilBefore: ordered(`${disabledNow('account')} and disabled_until < :disabledUntilBefore`),
  createdFrom: since('created_at'),
  createdTo: until('created_at'),
  // The last login cannot be earlier than the creation of the account.
  lastLoginBefore: (moment, name) => {
    const { sieve = [], ...before } = until(LAST_ACTIVE)(moment, name);
    return { ...before, sieve: [...sieve, 'not is_service'] };
  },
};

export const { findNewest, rowsOf, queryOf } = defineList<AccountFilter, ManagedAccount>({
  table: 'account',
  select: `select ${MANAGED_COLUMNS} from account`,
  filters: FILTERS,
  sieved: [
    'email',
    'email_key',
    'display_name',
    'created_at',
    'last_login_at',
    'is_service',
    'password_scheme',
    'groups',
  ],
});

/** Up to `max` accounts whose email or name contains a text, in no order; `undefined` if no index can search for it. */
export async function findSearched(executor: Executor, search: string, max: number) {
  const { condition, part, isIndexed } = textMatch(searchedOf('account'), search);
  if (!isIndexed) return undefined;
  const sql = `select id from account where ${condition} limit :max`;
  return await query.column<string>(executor, sql, { part, max });
}

/** Up to `max` matching accounts, in no order. */
export async function findAny(executor: Executor, filter: AccountFilter, max: number) {
  const { bindings, ...conditions } = queryOf(filter);
  const sql = `select id from account where ${allOf(conditions)} limit :max`;
  return await query.column<string>(executor, sql, { ...bindings, max });
}

/**
 * Those that match the filter, newest first. `locks`: in the order of the email keys, against deadlocks, and then read
 * by a second statement, as other tables may have changed while the first one waited.
 */
export async function findMatching(
  executor: Executor,
  accountIds: readonly string[],
  filter: AccountFilter,
  { locks }: { locks: boolean },
): Promise<ManagedAccount[]> {
  const { bindings, ...conditions } = queryOf(filter);
  const sql = `select id from account where id = any(cast(:accountIds as uuid[])) and ${allOf(conditions)}
     ${locks ? 'order by email_key for update' : ''}`;
  return findMany(executor, await query.column<string>(executor, sql, { ...bindings, accountIds }));
}
