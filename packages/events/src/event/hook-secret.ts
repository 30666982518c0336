import { hookKeysOf, openSealed, publicKeyOf, sealTo, type SealContext } from '@gatehouse/runtime';

/** Encrypts the secret of a webhook, so that only the hook worker can sign with it. */
export type SealHookSecret = (webhookId: string, secret: string) => string;

/** Decrypts the secret of a webhook; `undefined` if it was encrypted with another key or for another webhook. */
export type OpenHookSecret = (webhookId: string, sealed: string) => string | undefined;

/**
 * Encrypts secrets with the hook worker's public key: Admin, which creates them, cannot read those of existing webhooks.
 *
 * @throws {ConfigError} for a malformed key.
 */
export function createHookSeal(hookPublicKey: string): SealHookSecret {
  const publicKey = publicKeyOf('HOOK_PUBLIC_KEY', hookPublicKey);
  return (webhookId, secret) =>
    sealTo(publicKey, contextOf(webhookId), Buffer.from(secret)).toString('base64url');
}

/** Decrypts what was encrypted for `HOOK_KEY`. */
export function createHookUnseal(hookKey: string): OpenHookSecret {
  const keys = hookKeysOf(hookKey);
  return (webhookId, sealed) =>
    openSealed(keys, contextOf(webhookId), Buffer.from(sealed, 'base64url'))?.toString('utf8');
}

function contextOf(webhookId: string): SealContext {
  return { info: 'gatehouse webhook secret', aad: webhookId };
}
