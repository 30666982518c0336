/** Whether the account with this alias is disabled now, which may have ended by itself, as SQL. */
export function disabledNow(alias: string): string {
  return `is_disabled_now(${alias}.is_disabled, ${alias}.disabled_until)`;
}
