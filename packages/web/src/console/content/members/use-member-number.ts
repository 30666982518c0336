import { usePageData } from '../../../ui/api/page-data.ts';
import { useWords } from '../../text.ts';

/** Above this the list says no more than that (docs/openapi/admin.json). */
const COUNTED_MAX = 1000;

/** How many there are, in words, as the list of content counts them. */
export function useMemberNumber(): (count: number | undefined) => string {
  const words = useWords();
  const { Locale } = usePageData();
  const number = new Intl.NumberFormat(Locale);
  return (count) => {
    if (count === undefined) return '–';
    if (count > COUNTED_MAX) return words('content.moreThan', { count: number.format(COUNTED_MAX) });
    return number.format(count);
  };
}
