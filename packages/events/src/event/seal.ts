import { hookKeysOf, mailKeysOf, openSealed, publicKeyOf, sealTo } from '@gatehouse/runtime';
import type { SealContext } from '@gatehouse/runtime';
import type { MailContent } from './mail-content.ts';

/** Hides the content of mails from everything that transports it: outbox, broker, delivery table, other consumers. */
export interface Seal {
  seal(eventId: string, content: MailContent): string;
}

/** Opens sealed content; only the mail worker can. */
export interface Unseal {
  /** The content, not validated yet; `undefined` if it was sealed for another key or event. */
  open(eventId: string, sealed: string): unknown;
}

/**
 * Seals content with the mail worker's public key: whoever seals can open nothing. The event’s id is authenticated, so
 * that no other event can have it. @throws {ConfigError} for a malformed key.
 */
export function createSeal(mailPublicKey: string): Seal {
  const publicKey = publicKeyOf('MAIL_PUBLIC_KEY', mailPublicKey);
  return {
    seal: (eventId, content) => {
      const sealed = sealTo(publicKey, mailContextOf(eventId), Buffer.from(JSON.stringify(content)));
      return Buffer.concat([Buffer.of(VERSION), sealed]).toString('base64url');
    },
  };
}

export function createUnseal(mailKey: string): Unseal {
  const keys = mailKeysOf(mailKey);
  return {
    open: (eventId, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes[0] !== VERSION) return undefined;
      const content = openSealed(keys, mailContextOf(eventId), bytes.subarray(1));
      return content && (JSON.parse(content.toString('utf8')) as unknown);
    },
  };
}

/** The first byte of sealed content. */
const VERSION = 2;

function mailContextOf(eventId: string): SealContext {
  return { info: 'gatehouse mail content', aad: eventId };
}

/** Encrypts the secret of a webhook, so that only the hook worker can sign with it. */
export type SealHookSecret = (webhookId: string, secret: string) => string;

/** Decrypts the secret of a webhook; `undefined` if it was encrypted with another key or for another webhook. */
export type OpenHookSecret = (webhookId: string, sealed: string) => string | undefined;

/** Admin, which creates secrets, cannot read those of existing webhooks. @throws {ConfigError} for a malformed key. */
export function createHookSeal(hookPublicKey: string): SealHookSecret {
  const publicKey = publicKeyOf('HOOK_PUBLIC_KEY', hookPublicKey);
  return (webhookId, secret) =>
    sealTo(publicKey, hookContextOf(webhookId), Buffer.from(secret)).toString('base64url');
}

export function createHookUnseal(hookKey: string): OpenHookSecret {
  const keys = hookKeysOf(hookKey);
  return (webhookId, sealed) =>
    openSealed(keys, hookContextOf(webhookId), Buffer.from(sealed, 'base64url'))?.toString('utf8');
}

function hookContextOf(webhookId: string): SealContext {
  return { info: 'gatehouse webhook secret', aad: webhookId };
}
