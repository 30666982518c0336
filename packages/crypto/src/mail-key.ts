import { deriveKey } from './derive-key.ts';
import { sealingKeysOf, type SealingKeys } from './sealed-box.ts';

/** The key pair of `MAIL_KEY`, with which the mail worker opens what was sealed with its public half. */
export function mailKeysOf(mailKey: string): SealingKeys {
  return sealingKeysOf(deriveKey(mailKey, 'mail opening'));
}

/** The public half of `MAIL_KEY`, which services that seal are given (`MAIL_PUBLIC_KEY`). */
export function mailPublicKeyOf(mailKey: string): string {
  return mailKeysOf(mailKey).publicKey.toString('base64url');
}
