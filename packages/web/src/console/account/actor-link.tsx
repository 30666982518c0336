import { useAsk } from '../api/use-ask.ts';
import { useWords } from '../text.ts';
import { Copy } from '../ui/copy.tsx';

/** Who did something: an account by its address; an API token, or an account that is gone, by its id. */
export function ActorLink({ id }: { id: string }) {
  const words = useWords();
  const { data } = useAsk('GET /admin/account', { query: { ids: id } });
  const account = data?.Items.find(({ Id }) => Id === id);
  return account === undefined ? (
    <Copy value={id} label={words('account.actor')} />
  ) : (
    <a href={`/console/accounts/${id}`}>{account.Email}</a>
  );
}
