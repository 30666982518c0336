import { deriveKey } from './derive-key.ts';
import { sealingKeysOf, type SealingKeys } from './sealed-box.ts';

/** The key pair of `MAIL_KEY`: the mail worker opens with it what its public half has sealed. */
export function mailKeysOf(mailKey: string): SealingKeys {
  return sealingKeysOf(deriveKey(mailKey, 'mail opening'));
}

/** The public half of `MAIL_KEY` as the services that seal are given it (`MAIL_PUBLIC_KEY`). */
export function mailPublicKeyOf(mailKey: string): string {
  return mailKeysOf(mailKey).publicKey.toString('base64url');
}
