import { auditSearch, query, type AuditRecord } from '@gatehouse/db';
import type { TestAccounts } from './open-test-accounts.ts';

/**
 * The audit entries that match the filter, newest first, at most 1000; and the whole audit
 * as Postgres stores it, in `text`, to see what is not in it.
 */
export async function readAudit(
  app: TestAccounts,
  filter: Parameters<typeof auditSearch.findNewest>[1] = {},
): Promise<{ entries: AuditRecord[]; text: string }> {
  const { entries } = await auditSearch.findNewest(app.db, filter, { beforeId: undefined, max: 1000 });
  const rows = await query<{ text: string }>(app.db, 'select audit::text as text from audit');
  return { entries, text: rows.map(({ text }) => text).join('\n') };
}

/** Lets every entry into the audit fail while `work` goes on, as a disk that is full would. */
export async function whileAuditFails<T>(app: TestAccounts, work: () => Promise<T>): Promise<T> {
  await app.db.raw(`
    create function fail_audit() returns trigger language plpgsql as
      $$ begin raise exception 'nothing more can be recorded'; end $$;
    create trigger fail_audit before insert on audit for each row execute function fail_audit()`);
  try {
    return await work();
  } finally {
    await app.db.raw('drop function fail_audit cascade');
  }
}

/** Lets every change fail at its commit while `work` goes on, as a server that is killed then would. */
export async function whileCommitsFail<T>(app: TestAccounts, work: () => Promise<T>): Promise<T> {
  const names = (await findTables(app)).filter((name) => name !== 'audit');
  const triggers = names.map(
    (name) => `create constraint trigger fail_commit after insert or update or delete on "${name}"
      deferrable initially deferred for each row execute function fail_commit();`,
  );
  await app.db.raw(`
    create function fail_commit() returns trigger language plpgsql as
      $$ begin raise exception 'nothing more can be committed'; end $$;
    ${triggers.join('\n')}`);
  try {
    return await work();
  } finally {
    await app.db.raw('drop function fail_commit cascade');
  }
}

/**
 * Everything that is kept, by table, to see that nothing has changed, but for when things were last used, which
 * is written down whenever there is time.
 */
export async function readTables(app: TestAccounts): Promise<Record<string, string[]>> {
  const names = await findTables(app);
  const selects = names.map(
    (name) => `select '${name}' as name,
      (to_jsonb(t) - array['last_used_at', 'last_used_ip', 'last_seen_at', 'last_pinged_at'])::text as text
      from "${name}" t`,
  );
  // At once, and in one query: tests look often.
  const rows = await query<{ name: string; text: string }>(
    app.db,
    `${selects.join(' union all ')} order by name, text`,
  );
  const contents = Object.fromEntries(names.map((name): [string, string[]] => [name, []]));
  for (const { name, text } of rows) contents[name]?.push(text);
  return contents;
}

/**
 * All tables except those that change by themselves (such as counters of activity) and those that count before a
 * check, whatever its result.
 */
async function findTables(app: TestAccounts): Promise<string[]> {
  const rows = await query<{ name: string }>(
    app.db,
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('activity', 'outbox', 'live_session_outbox', 'login_throttle', 'account_code',
         'earlier_verify_code', 'reset_request')`,
  );
  return rows.map(({ name }) => name);
}
