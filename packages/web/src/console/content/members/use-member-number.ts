import { usePageData } from '../../../ui/api/page-data.ts';
import { useWords } from '../../text.ts';

/** The API counts up to this number; a larger count means "more than this" (public-openapi.json). */
const COUNTED_MAX = 1000;

/** Formats a number of members as counted in the content list. */
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
