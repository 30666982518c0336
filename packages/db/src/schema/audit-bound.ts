import { query, type Executor } from '../postgres/connect.ts';

/** Has the database keep the audit for so many days at least, whatever Admin asks for; 0: for ever. For the owner of the tables alone. */
export async function keepAuditFor(executor: Executor, days: number): Promise<void> {
  await query(executor, 'update audit_bound set keep_days = ?', [days]);
}
