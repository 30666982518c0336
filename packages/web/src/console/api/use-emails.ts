import { useAsk } from './use-ask.ts';

/** So many accounts the API gives by their ids. */
const IDS_MAX = 100;

/** The email addresses of accounts, by their ids; those of API tokens and of accounts that are gone have none. */
export function useEmails(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const known = [...new Set(ids)].filter((id) => id !== null).slice(0, IDS_MAX);
  const { data } = useAsk(
    'GET /admin/account',
    { query: { ids: known.join(',') } },
    { enabled: known.length > 0 },
  );
  return new Map(data?.Items.map(({ Id, Email }) => [Id, Email]));
}
