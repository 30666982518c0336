import { query, type Executor } from '../postgres/connect.ts';

/**
 * Makes the database keep audit entries for at least this number of days, even if Admin requests less; 0: forever. Only
 * the owner of the tables may call this.
 */
export async function keepAuditFor(executor: Executor, days: number): Promise<void> {
  await query(executor, 'update audit_bound set keep_days = ?', [days]);
}
