import { useQuery } from '../api/use-query.ts';

/** The content that a session watches, by its name; by its id where it is gone. */
export function ContentLink({ id }: { id: string }) {
  const { data } = useQuery('GET /admin/content-definition/{id}', { path: { id } });
  return <a href={`/console/content/${id}`}>{data?.Name ?? id}</a>;
}
