import { usePageData } from '../../../ui/api/page-data.ts';
import { useQuery } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';

/** How many have access to content, and how many are invited, in words; `undefined` while that is counted. */
export function useMemberCounts(id: string): { access: string | undefined; pending: string | undefined } {
  return { access: useCount(id, 'Access'), pending: useCount(id, 'Pending') };
}

function useCount(id: string, relation: 'Access' | 'Pending'): string | undefined {
  const words = useWords();
  const { Locale } = usePageData();
  const { data } = useQuery('GET /admin/content-definition/{id}/member', {
    path: { id },
    query: { relation, limit: 1, count: true },
  });
  if (data === undefined) return undefined;
  // It is not counted where that takes too long.
  if (data.Count === undefined) return words('content.many');
  const number = new Intl.NumberFormat(Locale).format(data.Count);
  return data.CountIsExact === false ? words('content.moreThan', { count: number }) : number;
}
