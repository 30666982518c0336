import { query, throttleKeyText, type Db, type ThrottleKey } from '@gatehouse/db';
import { emailKey } from '@gatehouse/schema';

export function failuresFor(email: string): ThrottleKey {
  return { kind: 'email', emailKey: emailKey(email) };
}

export async function failuresOf({ db }: { db: Db }, key: ThrottleKey): Promise<number> {
  const sql = 'select failures from login_throttle where email_key = ?';
  return (await query.value<number>(db, sql, [throttleKeyText(key)])) ?? 0;
}

/** Sets the number of failures, with all their waits already over. */
export async function setFailures({ db }: { db: Db }, key: ThrottleKey, failures: number): Promise<void> {
  const sql = `insert into login_throttle (email_key, failures) values (?, ?)
     on conflict (email_key) do update set failures = excluded.failures, blocked_until = null, checks = '{}'`;
  await query(db, sql, [throttleKeyText(key), failures]);
}
