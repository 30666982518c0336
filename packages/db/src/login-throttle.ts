import { query, type Executor } from './connect.ts';

/** What is known of an attempt to log in. */
export interface Attempt {
  admitted: boolean;
  /** Whether checks are under way that may still clear the way. */
  isChecking: boolean;
  retryAfterSeconds: number;
  /** Failures so far, this attempt counted among them. */
  failures: number;
}

const BLOCKED = 'coalesce(throttle.blocked_until > now(), false)';
// A check whose process died would hold the others up; none takes longer than a request may.
const CHECKING = `(throttle.checking > 0 and throttle.checking_since > now() - interval '10 seconds')`;
const SETTLED_WAIT = `(${BLOCKED} and not ${CHECKING})`;
const RETRY_AFTER = `greatest(1, ceil(extract(epoch from throttle.blocked_until - now())))::int`;

/** When the wait after so many failures ends: 1 s after the last free one, doubling to 15 min. */
const waitEnd = (failures: string): string =>
  `case when ${failures} >= :free
     then now() + make_interval(secs => least(900, power(2, least(${failures} - :free, 20)))) end`;

const RAISE = `
  insert into login_throttle as throttle (email_key, failures, checking, checking_since, blocked_until)
  values (:emailKey, 1, 1, now(), ${waitEnd('1')})
  on conflict (email_key) do update set
    failures = case when ${SETTLED_WAIT} then throttle.failures else throttle.failures + 1 end,
    blocked_until =
      case when ${SETTLED_WAIT} then throttle.blocked_until else ${waitEnd('(throttle.failures + 1)')} end,
    checking = case
      when ${BLOCKED} then throttle.checking
      when ${CHECKING} then throttle.checking + 1
      else 1 end,
    checking_since = case when ${BLOCKED} then throttle.checking_since else now() end,
    admitted = not ${BLOCKED},
    updated_at = now()
  returning
    throttle.admitted, ${CHECKING} as "isChecking",
    ${RETRY_AFTER} as "retryAfterSeconds", throttle.failures`;

/**
 * Counts an attempt to log in before it is checked, in one statement, so that a burst cannot slip under the
 * bound. An attempt during a wait is not counted, so that nobody can prolong a wait for ever; one that comes
 * while the last free attempts are being checked is, as it may be part of a burst.
 */
export async function raise(executor: Executor, emailKey: string, failuresFree: number): Promise<Attempt> {
  const [attempt] = await query<Attempt>(executor, RAISE, { emailKey, free: failuresFree });
  if (attempt === undefined) throw new Error('an upsert that returns its row returned none');
  return attempt;
}

/** What stands in the way of another attempt; `undefined` when nothing does. */
export async function findBlock(
  executor: Executor,
  emailKey: string,
): Promise<Pick<Attempt, 'isChecking' | 'retryAfterSeconds'> | undefined> {
  const [block] = await query<Pick<Attempt, 'isChecking' | 'retryAfterSeconds'>>(
    executor,
    `select ${CHECKING} as "isChecking", ${RETRY_AFTER} as "retryAfterSeconds"
     from login_throttle throttle
     where email_key = ? and ${BLOCKED}`,
    [emailKey],
  );
  return block;
}

/** Says that an admitted attempt has failed; it stays counted. */
export async function settleFailure(executor: Executor, emailKey: string): Promise<void> {
  await query(
    executor,
    'update login_throttle set checking = greatest(0, checking - 1) where email_key = ?',
    [emailKey],
  );
}

/**
 * Says that an admitted attempt was right as far as it went, but that more is to be shown: it does not count,
 * and earlier failures stay. The wait that it began ends: as it was admitted, no earlier one was running.
 */
export async function settlePassed(executor: Executor, emailKey: string): Promise<void> {
  await query(
    executor,
    `update login_throttle
     set checking = greatest(0, checking - 1), failures = greatest(0, failures - 1), blocked_until = null
     where email_key = ?`,
    [emailKey],
  );
}

/** Says that an admitted attempt has succeeded: nothing is held against the account any more. */
export async function clear(executor: Executor, emailKey: string): Promise<void> {
  await query(executor, 'delete from login_throttle where email_key = ?', [emailKey]);
}

/** Forgets failures that are a day old; returns how many. */
export async function deleteOld(executor: Executor): Promise<number> {
  const rows = await query(
    executor,
    `delete from login_throttle where updated_at < now() - interval '1 day' returning email_key`,
  );
  return rows.length;
}

/** Says that an admitted attempt could not be checked, for lack of a server of ours: it does not count. */
export async function takeBack(executor: Executor, emailKey: string, failuresFree: number): Promise<void> {
  await query(
    executor,
    `update login_throttle
     set checking = greatest(0, checking - 1), failures = greatest(0, failures - 1),
       blocked_until = case when failures > ? then blocked_until end
     where email_key = ?`,
    [failuresFree, emailKey],
  );
}
