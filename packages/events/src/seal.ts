import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { MailContent } from './mail-content.ts';

/** Hides what a mail needs from everyone who carries it: outbox, broker, delivery table, other consumers. */
export interface Seal {
  seal(eventId: string, content: MailContent): string;
  /** What was sealed, not yet checked against a schema; `undefined` when the key or the event is another. */
  open(eventId: string, sealed: string): unknown;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM with a key derived from `MAIL_KEY` (HKDF, RFC 5869). The event's id is authenticated with it, so
 * that a sealed text moved to another event does not open. Nonces are random: 2^32 mails under one key are safe
 * (NIST SP 800-38D §8.3).
 */
export function createSeal(mailKey: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', mailKey, '', 'gatehouse mail content v1', 32));
  return {
    seal: (eventId, content) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(eventId));
      const text = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, text, cipher.getAuthTag()]).toString('base64url');
    },
    open: (eventId, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      if (bytes.length < 1 + NONCE_BYTES + TAG_BYTES || bytes[0] !== VERSION) return undefined;
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(eventId))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = [decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()];
        return JSON.parse(Buffer.concat(text).toString('utf8')) as unknown;
      } catch {
        return undefined;
      }
    },
  };
}
