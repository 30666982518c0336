import type { SignInMethod, SignInReason, SignInResult } from '@gatehouse/schema';
import { arraysOf } from '../postgres/statements.ts';
import { query, type Executor } from '../postgres/connect.ts';

/** A sign-in to record, or several refused ones of an address in one row. */
export interface NewSignIn {
  id: string;
  /** How long ago it was, in seconds: the time of the row is the database's. */
  ageSeconds: number;
  accountId: string | undefined;
  method: SignInMethod | undefined;
  provider: string | undefined;
  result: SignInResult;
  reason: SignInReason | undefined;
  address: string | undefined;
  userAgent: string | undefined;
  traceId: string | undefined;
  count: number;
}

/** Records sign-ins, except those of accounts that do not exist any more. Accounts are locked until the commit. */
export async function insert(executor: Executor, signIns: readonly NewSignIn[]): Promise<void> {
  const sql = `with owner as (
      select id from account where id = any(cast(:accountId as uuid[])) order by email_key for key share
    )
    insert into sign_in
      (id, at, account_id, method, provider, result, reason, ip_address, user_agent, trace_id, count)
    select given.id, now() - make_interval(secs => age), account_id, method, provider, result, reason,
      cast(address as inet), user_agent, trace_id, count
    from unnest(
      cast(:id as uuid[]), cast(:ageSeconds as float8[]), cast(:accountId as uuid[]), cast(:method as text[]),
      cast(:provider as text[]), cast(:result as text[]), cast(:reason as text[]), cast(:address as text[]),
      cast(:userAgent as text[]), cast(:traceId as text[]), cast(:count as int[])
    ) as given (id, age, account_id, method, provider, result, reason, address, user_agent, trace_id, count)
    left join owner on owner.id = given.account_id
    where given.account_id is null or owner.id is not null`;
  await query(executor, sql, {
    ...arraysOf(signIns, 'id', 'ageSeconds', 'accountId', 'method', 'provider', 'result'),
    ...arraysOf(signIns, 'reason', 'address', 'userAgent', 'traceId', 'count'),
  });
}
