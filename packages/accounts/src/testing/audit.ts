import assert from 'node:assert/strict';
import { query, type Actor, type AuditAction, type AuditTargetKind } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { someAddress } from './accounts.ts';
import { PASSWORD } from './settings.ts';
import type { TestAccounts } from './open-test-accounts.ts';

interface Call extends PromiseLike<unknown> {
  set(headers: Record<string, string>): Call;
  expect(status: number): Call;
}

export interface AuditedChange {
  call: () => Call;
  status?: number;
  entry: { actorId: string; actorKind?: string; targetKind?: string; targetId?: string; details?: object };
  secrets: string[];
}

/** Checks that a change is recorded once, with where it came from, and does not happen if it cannot be recorded. */
export async function assertAudited(
  app: TestAccounts,
  action: string,
  { call, status = 200, entry, secrets }: AuditedChange,
): Promise<void> {
  const before = await readTables(app);
  for (const whileFaulty of [whileAuditFails, whileCommitsFail]) {
    await whileFaulty(app, async () => void (await call().expect(500)));
    assert.deepEqual(await readTables(app), before, whileFaulty.name);
  }
  const [address, traceId] = [someAddress(), newId().replaceAll('-', '')];
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  await call().set({ 'x-forwarded-for': address, traceparent }).expect(status);
  const target = { targetId: entry.targetId ?? entry.actorId };
  const { entries, text } = await readAudit(app, { ...target, actorId: entry.actorId });
  const found = entries.filter((one) => one.action === action);
  const [{ id, at, ...recorded } = assert.fail('nothing is recorded'), ...more] = found;
  const by = { action, actorKind: 'Account', targetKind: 'Account', ...target, details: {} };
  assert.deepEqual(recorded, { ...by, ipAddress: address, traceId, ...entry });
  assert.equal(more.length, 0, `${id} ${at.toISOString()}`);
  for (const secret of [...secrets, PASSWORD, '@example.com']) assert.ok(!text.includes(secret), secret);
}

interface AuditRecord {
  id: string;
  action: AuditAction;
  actorKind: Actor['kind'];
  actorId: string | null;
  targetKind: AuditTargetKind;
  targetId: string | null;
  at: Date;
  ipAddress: string | null;
  traceId: string | null;
  details: Record<string, unknown>;
}

/**
 * The audit entries that match the filter, newest first, at most 1000, about an object or what belongs to that account;
 * and in `text` the whole audit as stored in Postgres, for checking what it does not contain.
 */
export async function readAudit(
  { db }: TestAccounts,
  filter: { action?: AuditAction; actorId?: string | undefined; targetId?: string | undefined } = {},
): Promise<{ entries: AuditRecord[]; text: string }> {
  const { action = null, actorId = null, targetId = null } = filter;
  const entries = await query<AuditRecord>(
    db,
    `select id, action, actor_kind as "actorKind", actor_id as "actorId", target_kind as "targetKind",
       target_id as "targetId", at, host(ip_address) as "ipAddress", trace_id as "traceId", details
     from audit
     where action = coalesce(:action, action)
       and (cast(:actorId as uuid) is null or actor_id = :actorId)
       and (cast(:targetId as uuid) is null or target_id = :targetId
         or target_kind <> 'Account' and cast(:targetId as text)
           = case when action = 'session.ended' then actor_id::text else details ->> 'UserId' end)
     order by id desc
     limit 1000`,
    { action, actorId, targetId },
  );
  const rows = await query.column<string>(db, 'select audit::text from audit');
  return { entries, text: rows.join('\n') };
}

/** Runs `work` while Postgres does this for each row at these moments, such as `trigger test before update on account`. */
export async function whileTriggered<T>(
  { db }: TestAccounts,
  moments: readonly string[],
  statement: string,
  work: () => Promise<T>,
): Promise<T> {
  const triggers = moments.map((moment) => `create ${moment} for each row execute function triggered();`);
  await db.raw(`
    create function triggered() returns trigger language plpgsql as $$ begin ${statement} return new; end $$;
    ${triggers.join('\n')}`);
  try {
    return await work();
  } finally {
    await db.raw('drop function triggered cascade');
  }
}

/** Makes every write to the audit fail while `work` runs, like a full disk would. */
export function whileAuditFails<T>(app: TestAccounts, work: () => Promise<T>): Promise<T> {
  const fail = `raise exception 'nothing more can be recorded';`;
  return whileTriggered(app, ['trigger test before insert on audit'], fail, work);
}

/** Makes every commit with changes fail while `work` runs, like a server that is killed at that moment would. */
export async function whileCommitsFail<T>(app: TestAccounts, work: () => Promise<T>): Promise<T> {
  const names = (await findTables(app)).filter((name) => name !== 'audit');
  const moments = names.map(
    (name) =>
      `constraint trigger test after insert or update or delete on "${name}" deferrable initially deferred`,
  );
  return whileTriggered(app, moments, `raise exception 'nothing more can be committed';`, work);
}

/** The content of all tables, without the times of last use, which are written with a delay. */
export async function readTables(app: TestAccounts): Promise<Record<string, string[]>> {
  const names = await findTables(app);
  const selects = names.map(
    (name) => `select '${name}' as name,
      (to_jsonb(t) - array['last_used_at', 'last_used_ip', 'last_seen_at', 'last_pinged_at'])::text as text
      from "${name}" t`,
  );
  // All tables in one query, because tests call this often.
  const sql = `${selects.join(' union all ')} order by name, text`;
  const rows = await query<{ name: string; text: string }>(app.db, sql);
  const contents = Object.fromEntries(names.map((name): [string, string[]] => [name, []]));
  for (const { name, text } of rows) contents[name]?.push(text);
  return contents;
}

/** All tables but those that change by themselves, after the answer, or before a check, whatever its result. */
function findTables(app: TestAccounts): Promise<string[]> {
  const sql = `select table_name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'
       and table_name not in ('activity', 'sign_in', 'outbox', 'live_session_outbox', 'login_throttle', 'account_code',
         'earlier_verify_code', 'reset_request')`;
  return query.column<string>(app.db, sql);
}
