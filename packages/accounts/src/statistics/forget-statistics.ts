import { activity } from '@gatehouse/db';
import type { Lifecycle } from '@gatehouse/runtime';
import type { AccountsDeps } from '../deps.ts';
import { STATISTICS_DAYS_MAX } from './find-statistics.ts';

/** Deletes counts that are too old to be shown, regularly until the service stops. */
export function forgetStatistics(
  { db }: Pick<AccountsDeps, 'db'>,
  lifecycle: Pick<Lifecycle, 'every'>,
): void {
  lifecycle.every(3600, 'deleting old statistics', () => activity.deleteOld(db, STATISTICS_DAYS_MAX));
}
