import {
  accounts,
  accountSearch,
  loginThrottle,
  throttledSubjectOf,
  type AccountFilter,
  type ManagedAccount,
} from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';
import { isUuid } from '@gatehouse/schema';
import { countRows, type Counted } from '../../count-rows.ts';
import type { AccountsDeps } from '../../deps.ts';

/** Which accounts administrators request; an account must meet all given conditions. */
export type AccountQuery = Omit<AccountFilter, 'throttled'> & {
  /** Whether logins must currently wait after failures. */
  isThrottled?: boolean | undefined;
};

/** More waiting keys at one time are an attack; the list then contains those that wait longest. */
const WAITING_MAX = 10_000;

/** A page of matching accounts, newest first (`accountSearch.findNewest`). */
export async function findAccounts(
  deps: Pick<AccountsDeps, 'db'>,
  asked: AccountQuery,
  page: { beforeId: string | undefined; max: number },
): Promise<{ rows: ManagedAccount[]; nextBeforeId: string | undefined }> {
  return accountSearch.findNewest(deps.db, await accountFilterOf(deps, asked), page);
}

/** How many accounts match; `undefined` if counting takes too long. */
export async function countAccounts(
  deps: Pick<AccountsDeps, 'db'>,
  asked: AccountQuery,
  deadline: Deadline,
): Promise<Counted | undefined> {
  return countRows(deps, accountSearch.rowsOf(await accountFilterOf(deps, asked)), deadline);
}

/**
 * The filter in the form that the database needs. A search for the identifier of an account finds only that account.
 * The waiting keys are looked up first, because failures are not stored in the table of accounts.
 */
export async function accountFilterOf(
  { db }: Pick<AccountsDeps, 'db'>,
  { isThrottled, ...asked }: AccountQuery,
): Promise<AccountFilter> {
  const id = asked.search?.trim().toLowerCase() ?? '';
  const isNamed = isUuid(id) && (await accounts.findById(db, id)) !== undefined;
  const ids = asked.ids === undefined || asked.ids.includes(id) ? [id] : [];
  const filter = isNamed ? { ...asked, search: undefined, ids } : asked;
  if (isThrottled === undefined) return filter;
  const keys = await loginThrottle.findWaiting(db, WAITING_MAX);
  const emailKeys: string[] = [];
  const accountIds: string[] = [];
  for (const subject of keys.map(throttledSubjectOf)) {
    if (subject?.kind === 'email') emailKeys.push(subject.emailKey);
    else if (subject?.kind === 'second-factor') accountIds.push(subject.accountId);
  }
  return { ...filter, throttled: { is: isThrottled, emailKeys, accountIds } };
}
