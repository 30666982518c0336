import { useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';

/** What the next login with the right password leads to (docs/errors.md); nothing stands in its way without a status. */
export function ConditionBadge({ status }: { status: number | undefined }) {
  const wordsFor = useWordsFor();
  return <Badge meaning={meaningOf(status)}>{wordsFor('condition', status ?? 'none')}</Badge>;
}

function meaningOf(status: number | undefined): Meaning {
  if (status === undefined || status === 2) return 'success';
  if (status === 3 || status === 8) return 'danger';
  return status === 1 || status === 7 ? 'warning' : 'neutral';
}
