import { useQuery } from '../api/use-query.ts';
import { Copy } from '../ui/copy.tsx';

/** Leads to a token, by its name; an id that is of none can be copied, as what the label says. */
export function TokenLink({ id, label }: { id: string; label: string }) {
  const { data, isLoading, isOld } = useQuery('GET /admin/api-token/{id}', { path: { id } });
  if (isLoading || isOld) return null;
  if (data?.Id !== id) return <Copy value={id} label={label} />;
  return <a href={`/console/tokens/${id}`}>{data.Name}</a>;
}
