import { emailKey, normalizeEmail } from '@gatehouse/schema';

/** Each mailbox once, as it is stored, by its key; in the order and spelling of its first appearance. */
export function distinctEmails(emails: readonly string[]): Map<string, string> {
  const distinct = new Map<string, string>();
  for (const email of emails) {
    const normalized = normalizeEmail(email) ?? email;
    if (!distinct.has(emailKey(normalized))) distinct.set(emailKey(normalized), normalized);
  }
  return distinct;
}
