import {
  accountAdmin,
  accountSearch,
  loginThrottle,
  throttledSubjectOf,
  type AccountFilter,
  type ManagedAccount,
} from '@gatehouse/db';
import type { Deadline } from '@gatehouse/runtime';
import { countRows, type Counted } from '../count-rows.ts';
import type { AccountsDeps } from '../deps.ts';

/** Which accounts administrators ask for; every condition that is given must hold. */
export type AccountQuery = Omit<AccountFilter, 'throttled'> & {
  /** Whether logins wait after failures. */
  isThrottled?: boolean | undefined;
};

/** More that wait at one moment are an attack; the list shows those that wait longest. */
const WAITING_MAX = 10_000;

/**
 * Up to `max` accounts that fit, newest first, from behind `beforeId` on. `nextBeforeId`: where to go on, also where fewer
 * were found, as only so many are looked through at a time; `undefined` at the end.
 */
export async function findAccounts(
  deps: Pick<AccountsDeps, 'db'>,
  asked: AccountQuery,
  { beforeId, max }: { beforeId: string | undefined; max: number },
): Promise<{ accounts: ManagedAccount[]; nextBeforeId: string | undefined }> {
  const filter = await accountFilterOf(deps, asked);
  // One too many says that there is more.
  const found = await accountSearch.findNewest(deps.db, filter, { beforeId, max: max + 1 });
  // Not by how many rows there are: an account that was removed meanwhile must not end the list.
  const shown = found.ids.slice(0, max);
  const nextBeforeId = found.ids.length > max ? shown.at(-1) : found.nextBeforeId;
  return { accounts: await accountAdmin.findMany(deps.db, shown), nextBeforeId };
}

/** How many accounts fit; `undefined` where counting takes too long. */
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

/** The filter as the database takes it: who waits is found first, as what it is counted by is no column of accounts. */
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
