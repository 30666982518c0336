import type { Problem } from '../../../ui/api/api.ts';
import type { Answer, CallApi } from '../../api/call-api.ts';
import { collect } from '../../export/export.tsx';
import type { Target } from '../../list/list.tsx';

export type ListedAccount = Answer<'GET /admin/account'>['Items'][number];

/** The accounts that a change targets; `accounts` is `undefined` if there are more than `RESETS_MAX`. */
export type Found =
  { ok: true; accounts: readonly ListedAccount[] | undefined } | { ok: false; problem: Problem };

/** The maximum number of reset mails, because they are requested one by one. */
export const RESETS_MAX = 1000;
/** The maximum number of ids per request of the API. */
const IDS_MAX = 100;

/** Reads the accounts that a change targets. */
export async function findTargets(callApi: CallApi, target: Target): Promise<Found> {
  if (!('selected' in target)) return findMatching(callApi, target.query);
  const accounts: ListedAccount[] = [];
  const wanted = [...target.selected.keys()];
  for (let at = 0; at < wanted.length; at += IDS_MAX) {
    const ids = wanted.slice(at, at + IDS_MAX).join(',');
    const result = await callApi('GET /admin/account', { query: { ids } });
    if (!result.ok) return result;
    accounts.push(...result.value.Items);
  }
  return { ok: true, accounts: accounts.length > RESETS_MAX ? undefined : accounts };
}

async function findMatching(callApi: CallApi, query: object): Promise<Found> {
  let count = 0;
  const { rows, problem } = await collect<ListedAccount>(
    (cursor) => callApi('GET /admin/account', { query: { ...query, limit: 200, ...(cursor && { cursor }) } }),
    { rows: [], isWhole: false },
    () => count > RESETS_MAX,
    (read) => (count = read),
  );
  if (problem) return { ok: false, problem };
  return { ok: true, accounts: rows.length > RESETS_MAX ? undefined : rows };
}
