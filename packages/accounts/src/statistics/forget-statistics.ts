import { activity } from '@gatehouse/db';
import type { Lifecycle } from '@gatehouse/runtime';
import type { AccountsDeps } from '../deps.ts';
import { STATISTICS_DAYS_MAX } from './find-statistics.ts';

/** Forgets, until the service stops, what was counted too long ago to be shown. */
export function forgetStatistics(
  { db }: Pick<AccountsDeps, 'db'>,
  lifecycle: Pick<Lifecycle, 'every'>,
): void {
  lifecycle.every(3600, 'deleting old statistics', () => activity.deleteOld(db, STATISTICS_DAYS_MAX));
}
