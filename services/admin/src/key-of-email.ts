import { emailKey, normalizeEmail } from '@gatehouse/schema';

/** The key of the email by which a list is filtered; `undefined` without a filter. */
export function keyOfEmail(email: string | undefined): string | undefined {
  return email === undefined ? undefined : emailKey(normalizeEmail(email) ?? email);
}
