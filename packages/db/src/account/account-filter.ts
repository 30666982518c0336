import type { Account } from './accounts.ts';
import type { Binding } from '../postgres/connect.ts';
import { ID_SLACK_MS, lowestIdAt } from '../postgres/lowest-id-at.ts';
import { textMatch } from '../search/text-match.ts';

/** Which accounts are requested; an account must meet all given conditions. */
export interface AccountFilter {
  ids?: readonly string[] | undefined;
  /** A part of the email or the name, case-insensitive. */
  search?: string | undefined;
  role?: Account['role'] | undefined;
  /** The key of the whole email. */
  emailKey?: string | undefined;
  /** The status that the next login with the correct password would return. */
  loginStatus?: number | undefined;
  hasTwoFactor?: boolean | undefined;
  hasPasskey?: boolean | undefined;
  isService?: boolean | undefined;
  /** Created at this time or later. */
  createdFrom?: Date | undefined;
  /** Created before this time. */
  createdTo?: Date | undefined;
  /**
   * Neither logged in nor created since this time. Excludes service accounts, as programs log in only when they have
   * something to do.
   */
  lastLoginBefore?: Date | undefined;
  /** Whether the account is among those that must wait after failed logins. */
  throttled?: { is: boolean; emailKeys: readonly string[]; accountIds: readonly string[] } | undefined;
}

/** A filter as SQL over `account`. */
export interface AccountConditions {
  /** The conditions that an index can evaluate in the order of the ids. */
  ordered: readonly string[];
  /** The other conditions, checked on each row that `ordered` selects. */
  sieve: readonly string[];
  bindings: Readonly<Record<string, Binding | undefined>>;
  /** Whether the index of emails and names can be used for the search text. */
  isSearchIndexed: boolean;
}

const IS_ENABLED = 'not is_disabled and (expires_at is null or expires_at > now())';
const IS_VERIFIED = `${IS_ENABLED} and signup = 'complete' and email_verified_at is not null`;
const IS_OPEN = `${IS_VERIFIED} and not new_password_required`;
const HAS_TWO_FACTOR =
  'exists (select 1 from two_factor where account_id = account.id and enabled_at is not null)';

const HAS_PASSKEY = 'exists (select 1 from passkey where account_id = account.id)';

/**
 * The login statuses as conditions, with the precedence of `conditionOf` in packages/accounts. They must have the same
 * text as the conditions of the partial indexes, which is why they contain no parameters.
 */
const IS_IN_STATUS: Record<number, string> = {
  1: `${IS_OPEN} and two_factor_required and not ${HAS_TWO_FACTOR}`,
  2: `${IS_OPEN} and ${HAS_TWO_FACTOR}`,
  3: 'is_disabled',
  4: `${IS_ENABLED} and signup = 'complete' and email_verified_at is null`,
  5: `${IS_ENABLED} and signup = 'new'`,
  6: `${IS_ENABLED} and signup = 'migration'`,
  7: `${IS_VERIFIED} and new_password_required`,
  8: 'not is_disabled and expires_at <= now()',
  9: `${IS_ENABLED} and signup = 'invitation'`,
};

/** The text that is searched, in exactly the expression of the index `account_search`. */
export function searchedOf(account: string): string {
  return `lower(${account}.email || ' ' || coalesce(${account}.display_name, ''))`;
}

/** For an account that has never logged in, the time of its creation. */
const LAST_ACTIVE = 'coalesce(last_login_at, created_at)';

export function conditionsOf(filter: AccountFilter): AccountConditions {
  const { ids, search, role, emailKey, loginStatus, hasTwoFactor, isService, throttled } = filter;
  const { hasPasskey, createdFrom, createdTo, lastLoginBefore } = filter;
  const searched = search === undefined ? undefined : textMatch(searchedOf('account'), search);
  // The last login cannot be earlier than the creation of the account.
  const madeBefore = [createdTo, lastLoginBefore].filter((moment) => moment !== undefined);
  return {
    ordered: [
      ...(ids === undefined ? [] : ['id = any(cast(:ids as uuid[]))']),
      ...(role === undefined ? [] : ['role = :role']),
      ...(emailKey === undefined ? [] : ['email_key = :emailKey']),
      ...(loginStatus === undefined ? [] : [IS_IN_STATUS[loginStatus] ?? 'false']),
      ...(hasTwoFactor === true
        ? ['id in (select account_id from two_factor where enabled_at is not null)']
        : []),
      ...(hasPasskey === true ? ['id in (select account_id from passkey)'] : []),
      ...(isService === true ? ['is_service'] : []),
      ...(throttled?.is === true ? [IS_THROTTLED] : []),
      ...(createdFrom === undefined ? [] : ['id >= cast(:fromId as uuid)']),
      ...(madeBefore.length === 0 ? [] : ['id < cast(:toId as uuid)']),
    ],
    sieve: [
      ...(searched === undefined ? [] : [searched.condition]),
      ...(hasTwoFactor === false ? [`not ${HAS_TWO_FACTOR}`] : []),
      ...(hasPasskey === false ? [`not ${HAS_PASSKEY}`] : []),
      ...(isService === false ? ['not is_service'] : []),
      ...(throttled?.is === false ? [`not ${IS_THROTTLED}`] : []),
      ...(createdFrom === undefined ? [] : ['created_at >= :createdFrom']),
      ...(createdTo === undefined ? [] : ['created_at < :createdTo']),
      ...(lastLoginBefore === undefined ? [] : [`${LAST_ACTIVE} < :lastLoginBefore`, 'not is_service']),
    ],
    bindings: {
      ...{ ids, role, emailKey, createdFrom, createdTo, lastLoginBefore },
      part: searched?.part,
      throttledKeys: throttled?.emailKeys,
      throttledIds: throttled?.accountIds,
      fromId: createdFrom && lowestIdAt(createdFrom.getTime() - ID_SLACK_MS),
      toId: lowestIdAt(Math.min(...madeBefore.map(Number)) + ID_SLACK_MS),
    },
    isSearchIndexed: searched?.isIndexed === true,
  };
}

const IS_THROTTLED =
  '(email_key = any(cast(:throttledKeys as text[])) or id = any(cast(:throttledIds as uuid[])))';
