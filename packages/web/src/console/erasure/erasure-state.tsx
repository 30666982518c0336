import type { Answer } from '../api/call-api.ts';
import { useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';

/** The erasure of an account: pending, done or taken back. */
export type Erasure = Answer<'GET /admin/erasure'>['Items'][number];

const MEANINGS: Record<Erasure['State'], Meaning> = {
  Pending: 'warning',
  Erased: 'neutral',
  Restored: 'success',
};

export const STATES = Object.keys(MEANINGS);

/** The state of an erasure. */
export function ErasureState({ state }: { state: Erasure['State'] }) {
  const wordsFor = useWordsFor();
  return <Badge meaning={MEANINGS[state]}>{wordsFor('erasure.state', state)}</Badge>;
}
