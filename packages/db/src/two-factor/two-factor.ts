import { statement, txStatement } from '../postgres/statements.ts';

export interface TwoFactor {
  secretSealed: Buffer;
  isEnabled: boolean;
  /** The time step of the latest accepted code. */
  lastUsedStep: number;
}

/** The account’s authenticator, in use or being set up. */
export const find = statement.row<TwoFactor, [accountId: string]>(`
  select secret_sealed as "secretSealed", enabled_at is not null as "isEnabled",
    last_used_step as "lastUsedStep"
  from two_factor where account_id = ?`);

/** Replaces an unfinished set-up; `false` if one is in use. An absent password has a `passwordVersion`, too. */
export const begin = txStatement.any<[accountId: string, secretSealed: Buffer, passwordVersion: number]>(`
  insert into two_factor (account_id, secret_sealed, password_version) values (?, ?, ?)
  on conflict (account_id) do update
  set secret_sealed = excluded.secret_sealed, password_version = excluded.password_version, created_at = now()
  where two_factor.enabled_at is null
  returning account_id`);

/** `false` if one is in use, secret or password has changed, or the set-up began over an hour ago. */
export const enable = txStatement.any<{ accountId: string; secretSealed: Buffer; step: number }>(`
  update two_factor
  set enabled_at = now(), last_used_step = :step
  from account
  where account_id = :accountId and enabled_at is null and secret_sealed = :secretSealed
    and account.id = account_id and account.password_version = two_factor.password_version
    and two_factor.created_at > now() - interval '1 hour'
  returning account_id`);

/** Uses up a code by its time step; `false` if this or a later code was already used, or the secret has changed. */
export const useStep = txStatement.any<{ accountId: string; secretSealed: Buffer; step: number }>(`
  update two_factor
  set last_used_step = :step
  where account_id = :accountId and enabled_at is not null and secret_sealed = :secretSealed
    and last_used_step < :step
  returning account_id`);

/** Removes the authenticator in use; `false` if there is none. */
export const remove = txStatement.any<[accountId: string]>(
  'delete from two_factor where account_id = ? and enabled_at is not null returning account_id',
);
