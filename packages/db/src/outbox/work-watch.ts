import { query, type Db } from '../postgres/connect.ts';

/** Ends that are due and lack a token that stays valid for a while: the hook worker sends none in its last 15 s. */
export const NEEDS_LOGOUT_TOKEN = `client_id is not null
  and status in ('Pending', 'Retrying')
  and next_try_at <= now()
  and coalesce(claimed_until, '-infinity') < now()
  and (token_expires_at is null or token_expires_at < now() + interval '20 seconds')`;

/** The tables whose rows are work for a background job, and which rows are due. */
const DUE = {
  outbox: 'publish_after <= now()',
  live_session_outbox: 'true',
  reset_request: 'due_at <= now()',
  invitation_request: 'due_at <= now()',
  hook_delivery: NEEDS_LOGOUT_TOKEN,
} as const;

export type WorkWatch = ReturnType<typeof createWorkWatch>;

/** Wakes background jobs whose work another process has left, or that must be tried again. */
export function createWorkWatch(db: Db) {
  const jobs: { table: keyof typeof DUE; wake: () => unknown }[] = [];
  let statement = '';
  return {
    /** From now on, `wake` is called while the table has rows that are due. */
    on(table: keyof typeof DUE, wake: () => unknown): void {
      jobs.push({ table, wake });
      statement = jobs
        .map(
          (job) =>
            `select '${job.table}' as name where exists (select from ${job.table} where ${DUE[job.table]})`,
        )
        .join(' union all ');
    },
    /** Looks at all tables at once, so that an idle service sends one query instead of one for each job. */
    async look(): Promise<void> {
      if (statement === '') return;
      const due = new Set(await query.column<string>(db, statement));
      await Promise.all(jobs.filter(({ table }) => due.has(table)).map(({ wake }) => wake()));
    },
  };
}
