import { emailKey, normalizeEmail } from '@gatehouse/schema';

/** The key of an email that a list is to be filtered by; nothing where there is no filter. */
export function keyOfEmail(email: string | undefined): string | undefined {
  return email === undefined ? undefined : emailKey(normalizeEmail(email) ?? email);
}
