import { disabledNow } from './accounts.ts';
import { statement, txStatement } from '../postgres/statements.ts';

const LOCK = 7_114_201_983;

/**
 * Lets only one transaction at a time remove an administrator or create the first one. Call it before locking any
 * account: otherwise two administrators who demote each other would each see the other one remain.
 */
export const lockRights = txStatement.run(`select pg_advisory_xact_lock(${LOCK})`);

export const exist = statement.any(`select 1 from account where role = 'Admin' limit 1`);

export const findMailable = statement.rows<{
  id: string;
  email: string;
  locale: string;
  displayName: string | null;
}>(`select id, email, locale, display_name as "displayName"
  from account
  where role = 'Admin' and not ${disabledNow('account')} and (expires_at is null or expires_at > now())
    and signup = 'complete' and email_verified_at is not null
  order by id
  limit 100`);

/** Whether administrators remain who can log in, beside `enabled`, and whose account lasts, beside `lasting`. */
export const findOthers = statement.only<
  { isAnyEnabled: boolean; isAnyLasting: boolean },
  { enabled: readonly string[]; lasting: readonly string[] }
>(`select coalesce(bool_or(id <> all(cast(:enabled as uuid[]))), false) as "isAnyEnabled",
    coalesce(bool_or(expires_at is null and id <> all(cast(:lasting as uuid[]))), false) as "isAnyLasting"
  from account
  where role = 'Admin' and not ${disabledNow('account')} and (expires_at is null or expires_at > now())
    and signup = 'complete' and email_verified_at is not null`);
