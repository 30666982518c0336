import {
  accountAdmin,
  accountSearch,
  loginThrottle,
  throttledSubjectOf,
  type AccountFilter,
  type ManagedAccount,
} from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';
import { countRows, type Counted } from '../../count-rows.ts';
import type { AccountsDeps } from '../../deps.ts';

/** Which accounts administrators request; an account must meet all given conditions. */
export type AccountQuery = Omit<AccountFilter, 'throttled'> & {
  /** Whether logins must currently wait after failures. */
  isThrottled?: boolean | undefined;
};

/** More waiting keys at one time are an attack; the list then contains those that wait longest. */
const WAITING_MAX = 10_000;

/**
 * Up to `max` matching accounts, newest first, after `beforeId`. `nextBeforeId`: where to continue; `undefined` at the
 * end. A page may be shorter than `max` before the end, because only a limited number of rows is scanned.
 */
export async function findAccounts(
  deps: Pick<AccountsDeps, 'db'>,
  asked: AccountQuery,
  { beforeId, max }: { beforeId: string | undefined; max: number },
): Promise<{ accounts: ManagedAccount[]; nextBeforeId: string | undefined }> {
  const filter = await accountFilterOf(deps, asked);
  // One account more than a page tells whether there are more.
  const found = await accountSearch.findNewest(deps.db, filter, { beforeId, max: max + 1 });
  // Based on the ids found, not on the rows read below: an account that was removed meanwhile must not end the list.
  const shown = found.ids.slice(0, max);
  const nextBeforeId = found.ids.length > max ? shown.at(-1) : found.nextBeforeId;
  return { accounts: await accountAdmin.findMany(deps.db, shown), nextBeforeId };
}

/** How many accounts match; `undefined` if counting takes too long. */
export async function countAccounts(
  deps: Pick<AccountsDeps, 'db'>,
  asked: AccountQuery,
  deadline: Deadline,
): Promise<Counted | undefined> {
  const filter = await accountFilterOf(deps, asked);
  const named = await accountSearch.findNamed(deps.db, filter);
  return named === undefined
    ? countRows(deps, accountSearch.rowsOf(filter), deadline)
    : { count: 1, isExact: true };
}

/**
 * The filter in the form that the database needs. The waiting keys are looked up first, because failures are not stored
 * in the table of accounts.
 */
export async function accountFilterOf(
  { db }: Pick<AccountsDeps, 'db'>,
  { isThrottled, ...filter }: AccountQuery,
): Promise<AccountFilter> {
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
