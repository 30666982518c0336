import { statement } from '../postgres/statements.ts';

/** Whether the account with this alias is disabled now, which may have ended by itself, as SQL. */
export function disabledNow(alias: string): string {
  return `is_disabled_now(${alias}.is_disabled, ${alias}.disabled_until)`;
}

/** What the owner of a disabled account may know about it. */
export interface ToldBan {
  /** `null`: it does not end by itself. */
  until: Date | null;
  reason: string | null;
}

/** `undefined` if the account is not disabled, or an administrator has not chosen to tell. */
export const find = statement.row<ToldBan, [accountId: string]>(`
  select disabled_until as until, disabled_reason as reason from account
  where id = ? and tells_reason and ${disabledNow('account')}`);
