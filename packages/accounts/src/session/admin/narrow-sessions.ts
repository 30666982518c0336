import { isUuid } from '@gatehouse/schema';
import { accounts, accountSearch, sessionAdmin, type SessionConditions } from '@gatehouse/db';
import type { AccountsDeps } from '../../deps.ts';
import type { SessionFilter } from './session-filter.ts';

/** More accounts than this are not looked up one by one. */
const ACCOUNTS_MAX = 1000;

/**
 * The filter in the form that the database needs; a search that matches few accounts becomes a list of these accounts.
 */
export async function narrowFilter(
  deps: Pick<AccountsDeps, 'db' | 'settings'>,
  filter: SessionFilter,
): Promise<SessionConditions> {
  const { accountId, isOnline, search: typed, ...same } = filter;
  const search = typed?.trim() || undefined;
  const windowSeconds = deps.settings.ONLINE_WINDOW_SECONDS;
  const online = isOnline === undefined ? undefined : { is: isOnline, windowSeconds };
  const accountIds = accountId === undefined ? undefined : [accountId];
  const known = { ...same, online, accountIds };
  if (search === undefined) return known;
  const named = isUuid(search) ? await findNamed(deps, search.toLowerCase(), accountId) : undefined;
  if (named !== undefined) return { ...known, ...named };
  if (accountId !== undefined) return { ...known, search };
  const found = await accountSearch.findSearched(deps.db, search, ACCOUNTS_MAX + 1);
  const isFew = found !== undefined && found.length <= ACCOUNTS_MAX;
  return isFew ? { ...known, accountIds: found } : { ...known, search };
}

/** The session or the account with this id, if there is one. */
async function findNamed(
  { db }: Pick<AccountsDeps, 'db'>,
  id: string,
  accountId: string | undefined,
): Promise<Pick<SessionConditions, 'sessionIds' | 'accountIds'> | undefined> {
  const [session] = await sessionAdmin.findByIds(db, [id]);
  if (session !== undefined) return { sessionIds: [id] };
  if ((await accounts.findById(db, id)) === undefined) return undefined;
  return { accountIds: accountId === undefined || accountId === id ? [id] : [] };
}
