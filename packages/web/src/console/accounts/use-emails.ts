import { useQuery } from '../api/use-query.ts';

/** The emails of accounts by their ids, up to 100; accounts that no longer exist are missing. */
export function useEmails(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const named = [...new Set(ids.filter((id) => id !== null))].slice(0, 100).join(',');
  const { data } = useQuery('GET /admin/account', { query: { ids: named } }, { enabled: named !== '' });
  return new Map(data?.Items.map(({ Id, Email }) => [Id, Email]));
}
