import { useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';

const MEANINGS: Readonly<Record<number, Meaning>> = {
  1: 'success',
  2: 'warning',
  3: 'neutral',
  4: 'danger',
  5: 'success',
  6: 'neutral',
  7: 'neutral',
  8: 'danger',
};

/** The status of a session (docs/sessions.md). */
export function StatusBadge({ status }: { status: number }) {
  const wordsFor = useWordsFor();
  return <Badge meaning={MEANINGS[status] ?? 'neutral'}>{wordsFor('sessionStatus', status)}</Badge>;
}
