import { mailKeysOf, openSealed, publicKeyOf, sealTo, type SealContext } from '@gatehouse/runtime';
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
 * Seals content for the mail worker with its public key: services that seal cannot open anything, not even what they
 * sealed themselves. The event’s id is authenticated, so that sealed content cannot be opened in another event.
 *
 * @throws {ConfigError} for a malformed key.
 */
export function createSeal(mailPublicKey: string): Seal {
  const publicKey = publicKeyOf('MAIL_PUBLIC_KEY', mailPublicKey);
  return {
    seal: (eventId, content) => {
      const sealed = sealTo(publicKey, contextOf(eventId), Buffer.from(JSON.stringify(content)));
      return Buffer.concat([Buffer.of(VERSION), sealed]).toString('base64url');
    },
  };
}

/** Opens content sealed for `MAIL_KEY`. */
export function createUnseal(mailKey: string): Unseal {
  const keys = mailKeysOf(mailKey);
  return {
    open: (eventId, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes[0] !== VERSION) return undefined;
      const content = openSealed(keys, contextOf(eventId), bytes.subarray(1));
      return content && (JSON.parse(content.toString('utf8')) as unknown);
    },
  };
}

/** The first byte of sealed content. */
const VERSION = 2;

function contextOf(eventId: string): SealContext {
  return { info: 'gatehouse mail content', aad: eventId };
}
