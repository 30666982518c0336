import { useQuery } from '../api/use-query.ts';
import { TokenLink } from '../tokens/token-link.tsx';
import { useWords } from '../text.ts';

/** Who did something: an account by its email, or an API token by its name; by its id if it no longer exists. */
export function ActorLink({ id }: { id: string }) {
  const words = useWords();
  const { data, isLoading, isOld } = useQuery('GET /admin/account', { query: { ids: id } });
  const account = data?.Items.find(({ Id }) => Id === id);
  if (account) return <a href={`/console/accounts/${id}`}>{account.Email}</a>;
  if (isLoading || isOld) return null;
  return <TokenLink id={id} label={words('account.actor')} />;
}
