import { jsonIn } from '@gatehouse/runtime';
import { query, type Executor, type Transaction } from '../postgres/connect.ts';
import { statement } from '../postgres/statements.ts';

export type Attempt = {
  /** Whether checks are in progress whose success would end the wait. */
  isChecking: boolean;
  retryAfterSeconds: number;
  /** Failures so far, including this attempt if it is admitted. */
  failures: number;
} & (
  | {
      admitted: true;
      /** Identifies the attempt’s check until it is settled. */
      check: string;
    }
  | { admitted: false }
);

const BLOCKED = 'coalesce(throttle.blocked_until > now(), false)';
// Old checks are ignored, because one whose process died would block others forever. No check takes longer than a
// request may.
const CHECKS = `array(
  select began from unnest(throttle.checks) began where began > now() - interval '10 seconds')`;
const CHECKING = `(cardinality(${CHECKS}) > 0)`;
const SETTLED_WAIT = `(${BLOCKED} and not ${CHECKING})`;
const RETRY_AFTER = `greatest(1, ceil(extract(epoch from throttle.blocked_until - now())))::int`;

/** When the wait after this many failures ends: 1 s after the last free failure, doubling up to 15 min. */
const waitEnd = (failures: string) =>
  `case when ${failures} >= :free
     then now() + make_interval(secs => least(900, power(2, least(${failures} - :free, 20)))) end`;

// clock_timestamp() instead of now(): attempts wait for the row’s lock, and the start of a check identifies it.
const RAISE = `
  insert into login_throttle as throttle (email_key, failures, checks, blocked_until)
  values (:key, 1, array[clock_timestamp()], ${waitEnd('1')})
  on conflict (email_key) do update set
    failures = case when ${SETTLED_WAIT} then throttle.failures else throttle.failures + 1 end,
    blocked_until =
      case when ${SETTLED_WAIT} then throttle.blocked_until else ${waitEnd('(throttle.failures + 1)')} end,
    checks = case when ${BLOCKED} then ${CHECKS} else ${CHECKS} || clock_timestamp() end,
    admitted = not ${BLOCKED},
    updated_at = now()
  returning
    throttle.admitted, ${CHECKING} as "isChecking", ${RETRY_AFTER} as "retryAfterSeconds", throttle.failures,
    case when throttle.admitted then throttle.checks[cardinality(throttle.checks)]::text end as "check"`;

/**
 * Counts an attempt before it is checked, in one statement, so that no burst exceeds the limit: also while the last
 * free ones are checked. An attempt during a wait does not count, as an attacker could prolong that forever.
 */
export async function raise(executor: Executor, key: ThrottleKey, failuresFree: number) {
  const bindings = { key: throttleKeyText(key), free: failuresFree };
  return await query.only<Attempt>(executor, RAISE, bindings);
}

export async function findBlock(executor: Executor, key: ThrottleKey) {
  return await query.row<Pick<Attempt, 'isChecking' | 'retryAfterSeconds'>>(
    executor,
    `select ${CHECKING} as "isChecking", ${RETRY_AFTER} as "retryAfterSeconds"
     from login_throttle throttle
     where email_key = ? and ${BLOCKED}`,
    [throttleKeyText(key)],
  );
}

const CHECK_ENDS = 'checks = array_remove(checks, cast(:check as timestamptz))';

export async function settleFailure(executor: Executor, key: ThrottleKey, check: string): Promise<void> {
  const bindings = { key: throttleKeyText(key), check };
  await query(executor, `update login_throttle set ${CHECK_ENDS} where email_key = :key`, bindings);
}

/**
 * Records that an admitted attempt passed this step and that another step follows. It no longer counts as a failure,
 * but earlier failures remain. The wait that it started ends; no earlier wait was active, as the attempt was admitted.
 */
export async function settlePartialSuccess(executor: Executor, key: ThrottleKey, check: string) {
  const sql = `update login_throttle
    set ${CHECK_ENDS}, failures = greatest(0, failures - 1), blocked_until = null
    where email_key = :key`;
  await query(executor, sql, { key: throttleKeyText(key), check });
}

export async function clear(executor: Executor, key: ThrottleKey): Promise<void> {
  await query(executor, 'delete from login_throttle where email_key = ?', [throttleKeyText(key)]);
}

/** The failures of an account and its wait, over all keys that count for it. */
export interface ThrottleStanding {
  failures: number;
  blockedUntil: Date | null;
  /** When an attempt was last refused; stored for a day, or until a login succeeds. */
  lastRefusedAt: Date | null;
}

export async function findStanding(executor: Executor, keys: readonly ThrottleKey[]) {
  const sql = `select coalesce(max(failures), 0) as failures,
      max(blocked_until) filter (where blocked_until > now()) as "blockedUntil",
      max(updated_at) filter (where failures > 0) as "lastRefusedAt"
    from login_throttle
    where email_key = any(cast(? as text[]))`;
  return await query.only<ThrottleStanding>(executor, sql, [keys.map(throttleKeyText)]);
}

/** Clears the failures of these keys, also per address; returns how many. An attempt in progress leaves no record. */
export async function clearAll(tx: Transaction, keys: readonly ThrottleKey[]): Promise<number> {
  const sql = `delete from login_throttle
    where email_key = any(cast(:keys as text[]))
      or exists (select 1 from unnest(cast(:prefixes as text[])) prefix where starts_with(email_key, prefix))
    returning failures`;
  const bindings = { keys: keys.map(throttleKeyText), prefixes: keys.map(throttleKeyPrefix) };
  return (await query.column<number>(tx, sql, bindings)).reduce((sum, failures) => sum + failures, 0);
}

export const findWaiting = statement.column<string, [max: number]>(`select email_key as key
  from login_throttle
  where blocked_until > now()
  order by blocked_until desc
  limit ?`);

export const deleteOld = statement.count(
  `delete from login_throttle where updated_at < now() - interval '1 day' returning email_key`,
);

/** Records that an admitted attempt could not be checked because a server was down: the attempt does not count. */
export async function takeBack(executor: Executor, key: ThrottleKey, check: string, failuresFree: number) {
  const sql = `update login_throttle
    set ${CHECK_ENDS}, failures = greatest(0, failures - 1),
      blocked_until = case when failures > :free then blocked_until end
    where email_key = :key`;
  await query(executor, sql, { key: throttleKeyText(key), check, free: failuresFree });
}

/** The key by which failures are counted; with `from`, they are counted separately for one address or network. */
export type ThrottleKey = (
  | { kind: 'email'; emailKey: string }
  /** Text that was typed as an email but is not one: its keyed hash, because people also type passwords there. */
  | { kind: 'user-name'; hash: Buffer }
  | { kind: 'second-factor'; accountId: string }
) & { from?: string };

/** Different arrays have different JSON, whatever strings they contain: no input makes one key equal another. */
export function throttleKeyText(key: ThrottleKey): string {
  const parts = [key.kind, subjectOf(key)];
  return JSON.stringify(key.from === undefined ? parts : [...parts, key.from]);
}

/** The common prefix of the keys that count the same per address; no other keys have it. */
function throttleKeyPrefix(key: ThrottleKey): string {
  return `${JSON.stringify([key.kind, subjectOf(key)]).slice(0, -1)},`;
}

function subjectOf(key: ThrottleKey): string {
  switch (key.kind) {
    case 'email':
      return key.emailKey;
    case 'user-name':
      return key.hash.toString('base64url');
    case 'second-factor':
      return key.accountId;
  }
}

/** By email or id; `undefined` if the key has no account, or counts for one address only. */
export function throttledSubjectOf(keyText: string): Exclude<ThrottleKey, { kind: 'user-name' }> | undefined {
  const [kind, subject, ...from] = (jsonIn(keyText) ?? []) as string[]; // as `throttleKeyText` writes it
  if (subject === undefined || from.length > 0) return undefined;
  if (kind === 'email') return { kind, emailKey: subject };
  return kind === 'second-factor' ? { kind, accountId: subject } : undefined;
}
