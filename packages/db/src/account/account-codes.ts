import * as loginCodes from '../email-login/login-codes.ts';
import { query, type Binding, type Executor, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

export type CodePurpose =
  'verify' | 'reset' | 'change-email' | 'two-factor' | 'erase' | 'complete' | 'mailbox';

/** A code that the typed code may be compared with. `email`: the address it was mailed to, if not the account’s. */
export interface ActiveCode {
  id: string;
  purpose: CodePurpose;
  hash: Buffer;
  email: string | null;
}

interface NewCode {
  accountId: string;
  purpose: CodePurpose;
  id: string;
  hash: Buffer;
  tries: number;
  lifetimeSeconds: number;
  /** The address that a `change-email` code proves. */
  email?: string | undefined;
}

/**
 * Stores a code’s hash; returns when it expires, by the database’s clock. It replaces the earlier code of its purpose,
 * except that several codes for verifying the email can be valid at once. The transaction must have locked the account.
 */
export async function replace(tx: Transaction, code: NewCode) {
  if (code.purpose === 'verify') await keepEarlier(tx, code.accountId);
  return await query.onlyValue<Date>(
    tx,
    `insert into account_code (account_id, purpose, id, code_hash, tries_left, expires_at, email)
     values (?, ?, ?, ?, ?, now() + make_interval(secs => ?), ?)
     on conflict (account_id, purpose) do update
     set id = excluded.id, code_hash = excluded.code_hash, tries_left = excluded.tries_left, tries = excluded.tries,
       created_at = now(), expires_at = excluded.expires_at, email = excluded.email
     returning expires_at as "expiresAt"`,
    [code.accountId, code.purpose, code.id, code.hash, code.tries, code.lifetimeSeconds, code.email ?? null],
  );
}

const keepEarlier = txStatement.run<[accountId: string]>(`
  insert into earlier_verify_code (id, account_id, code_hash, tries_left, tries, created_at, expires_at)
  select id, account_id, code_hash, tries_left, tries, created_at, expires_at
  from account_code
  where account_id = ? and purpose = 'verify' and expires_at > now()
  for update`);

export const hasActive = statement.onlyValue<boolean, { accountId: string; purpose: CodePurpose }>(`
  select exists (
    select from account_code
    where account_id = :accountId and purpose = :purpose and tries_left > 0 and expires_at > now()
    union all
    select from earlier_verify_code
    where account_id = :accountId and :purpose = 'verify' and tries_left > 0 and expires_at > now()
  ) as "isActive"`);

const LIMITS = 'unnest(cast(:from as text[]), cast(:max as int[])) as counted (whose, max)';
// An aggregate is evaluated again for a row that another try has just changed. `not exists` would become a join, and is not.
const HAS_TRIES = `
  tries_left > 0 and expires_at > now()
  and (select bool_and(coalesce((tries ->> whose)::int, 0) < max) from ${LIMITS})`;
const COUNT_TRY = `
  tries_left = tries_left - 1,
  tries = tries || (select jsonb_object_agg(whose, coalesce((tries ->> whose)::int, 0) + 1) from ${LIMITS})`;

const TAKE_TRY = `
  update account_code
  set ${COUNT_TRY}
  where account_id = :accountId and purpose = :purpose and ${HAS_TRIES}
  returning id, purpose, code_hash as hash, email`;

// Earlier codes are locked in a fixed order, so that concurrent tries cannot deadlock.
const TAKE_TRIES_TO_VERIFY = `
  with newest as (${TAKE_TRY}),
  locked as (
    select id
    from earlier_verify_code
    where account_id = :accountId and ${HAS_TRIES}
    order by id
    for update
  ),
  earlier as (
    update earlier_verify_code
    set ${COUNT_TRY}
    where id in (select id from locked) and ${HAS_TRIES}
    returning id, 'verify' as purpose, code_hash as hash, null::text as email
  )
  select id, purpose, hash, email from newest
  union all
  select id, purpose, hash, email from earlier`;

// The mail that invites an owner has a code of its own, which lives longer than one that anybody may ask for.
const TAKE_TRIES_TO_RESET = `
  with locked as (
    select purpose
    from account_code
    where account_id = :accountId and purpose in (:purpose, 'complete') and ${HAS_TRIES}
    order by purpose
    for update
  )
  update account_code
  set ${COUNT_TRY}
  where account_id = :accountId and purpose in (select purpose from locked) and ${HAS_TRIES}
  returning id, purpose, code_hash as hash, email`;

const TAKE_TRIES: Partial<Record<CodePurpose, string>> = {
  verify: TAKE_TRIES_TO_VERIFY,
  reset: TAKE_TRIES_TO_RESET,
};

/** Counts a try against every code that could match, in one statement; returns those that had one left. */
export async function takeTries(executor: Executor, wanted: WantedCodes) {
  const { purpose } = wanted;
  return query<ActiveCode>(executor, TAKE_TRIES[purpose] ?? TAKE_TRY, { purpose, ...bindingsOf(wanted) });
}

interface WantedCodes {
  accountId: string;
  purpose: CodePurpose;
  limits: readonly { whose: string; max: number }[];
}

function bindingsOf({ accountId, limits }: WantedCodes): Record<string, Binding> {
  const [from, max] = [limits.map((limit) => limit.whose), limits.map((limit) => limit.max)];
  return { accountId, from, max };
}

const GIVE_TRY_BACK = `
  tries_left = tries_left + 1,
  tries = tries || (select jsonb_object_agg(whose, greatest((tries ->> whose)::int - 1, 0)) from ${LIMITS})
  where account_id = :accountId and id = any(cast(:ids as uuid[]))`;

export async function giveTriesBack(executor: Executor, wanted: WantedCodes, codes: readonly ActiveCode[]) {
  const given = { ...bindingsOf(wanted), ids: codes.map(({ id }) => id) };
  const sql = `with earlier as (update earlier_verify_code set ${GIVE_TRY_BACK}) update account_code set ${GIVE_TRY_BACK}`;
  await query(executor, sql, given);
}

/** Uses up a code and all others of its purpose; `false` if another request used it first, or it is no longer valid. */
export async function use(tx: Transaction, accountId: string, purpose: CodePurpose, id: string) {
  const isUsed = await deleteActive(tx, accountId, purpose, id);
  if (isUsed && purpose === 'verify') {
    await deleteOne(tx, accountId, purpose);
    await deleteEarlier(tx, accountId);
  }
  return isUsed;
}

async function deleteActive(tx: Transaction, accountId: string, purpose: CodePurpose, id: string) {
  const sql = `delete from account_code
     where account_id = ? and purpose = ? and id = ? and expires_at > now()
     returning id`;
  const newest = await query(tx, sql, [accountId, purpose, id]);
  if (newest.length === 1 || purpose !== 'verify') return newest.length === 1;
  const earlier = `delete from earlier_verify_code
     where account_id = ? and id = ? and expires_at > now()
     returning id`;
  return await query.any(tx, earlier, [accountId, id]);
}

const deleteOne = txStatement.run<[accountId: string, purpose: CodePurpose]>(
  'delete from account_code where account_id = ? and purpose = ?',
);

export async function deleteVerifying(tx: Transaction, accountId: string): Promise<void> {
  await deleteOne(tx, accountId, 'verify');
  await deleteEarlier(tx, accountId);
}

export async function deleteAll(tx: Transaction, accountId: string): Promise<void> {
  await query(tx, 'delete from account_code where account_id = ?', [accountId]);
  await deleteEarlier(tx, accountId);
  await loginCodes.deleteAll(tx, accountId);
}

const deleteEarlier = txStatement.run<[accountId: string]>(
  'delete from earlier_verify_code where account_id = ?',
);
