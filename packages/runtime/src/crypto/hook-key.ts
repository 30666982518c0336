import { deriveKey } from './derive-key.ts';
import { sealingKeysOf, type SealingKeys } from './sealed-box.ts';

/** The key pair of `HOOK_KEY`; the hook worker decrypts what was encrypted with its public key. */
export function hookKeysOf(hookKey: string): SealingKeys {
  return sealingKeysOf(deriveKey(hookKey, 'webhook secrets'));
}

/** The public key of `HOOK_KEY`, for Admin, which creates the secrets of webhooks (`HOOK_PUBLIC_KEY`). */
export function hookPublicKeyOf(hookKey: string): string {
  return hookKeysOf(hookKey).publicKey.toString('base64url');
}
