import { afterCommit, type ActivityKind, type Transaction } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';

export function countOnCommit(
  { activity }: Pick<AccountsDeps, 'activity'>,
  tx: Transaction,
  kind: ActivityKind,
  times = 1,
): void {
  afterCommit(tx, () => activity.count(kind, times));
}
