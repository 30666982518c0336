import { emailKey, normalizeEmail } from '@gatehouse/schema';

/** Each mailbox once, by the key under which it is stored; in the order and spelling of its first occurrence. */
export function distinctEmails(emails: readonly string[]): Map<string, string> {
  const distinct = new Map<string, string>();
  for (const email of emails) {
    const normalized = normalizeEmail(email) ?? email;
    if (!distinct.has(emailKey(normalized))) distinct.set(emailKey(normalized), normalized);
  }
  return distinct;
}
