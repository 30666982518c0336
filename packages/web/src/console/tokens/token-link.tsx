import { useQuery } from '../api/use-query.ts';
import { Copy } from '../ui/copy.tsx';

/** A link to an API token, by its name. If the id belongs to no token, the id can be copied; `label` describes it. */
export function TokenLink({ id, label }: { id: string; label: string }) {
  const { data, isLoading, isOld } = useQuery('GET /admin/api-token/{id}', { path: { id } });
  if (isLoading || isOld) return null;
  if (data?.Id !== id) return <Copy value={id} label={label} />;
  return <a href={`/console/tokens/${id}`}>{data.Name}</a>;
}
