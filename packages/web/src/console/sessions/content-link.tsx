import { useQuery } from '../api/use-query.ts';

/** A link to the content that a session watches: by name, or by id if the content no longer exists. */
export function ContentLink({ id }: { id: string }) {
  const { data } = useQuery('GET /admin/content-definition/{id}', { path: { id } });
  return <a href={`/console/content/${id}`}>{data?.Name ?? id}</a>;
}
