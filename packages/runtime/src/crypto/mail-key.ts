import { deriveKey } from './derive-key.ts';
import { sealingKeysOf, type SealingKeys } from './sealed-box.ts';

/** The key pair of `MAIL_KEY`; the mail worker decrypts what was encrypted with its public key. */
export function mailKeysOf(mailKey: string): SealingKeys {
  return sealingKeysOf(deriveKey(mailKey, 'mail opening'));
}

/** The public key of `MAIL_KEY`, for services that encrypt mails (`MAIL_PUBLIC_KEY`). */
export function mailPublicKeyOf(mailKey: string): string {
  return mailKeysOf(mailKey).publicKey.toString('base64url');
}
