import { usePageData } from '../../../ui/api/page-data.ts';
import { useQuery } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';

/** The numbers of accounts with access and of pending invitations, as text; `undefined` while they are loading. */
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
  // The API omits the count if counting takes too long.
  if (data.Count === undefined) return words('content.many');
  const number = new Intl.NumberFormat(Locale).format(data.Count);
  return data.CountIsExact === false ? words('content.moreThan', { count: number }) : number;
}
