import { createSecretBox } from '@gatehouse/runtime';
import type { MailContent } from './mail-content.ts';

/** Hides what a mail needs from everyone who carries it: outbox, broker, delivery table, other consumers. */
export interface Seal {
  seal(eventId: string, content: MailContent): string;
  /** What was sealed, not yet checked against a schema; `undefined` when the key or the event is another. */
  open(eventId: string, sealed: string): unknown;
}

/**
 * Seals under a key derived from `MAIL_KEY`. The event's id is authenticated with it, so that a sealed text moved
 * to another event does not open.
 */
export function createSeal(mailKey: string): Seal {
  const box = createSecretBox(mailKey, 'mail content');
  return {
    seal: (eventId, content) => box.seal(eventId, Buffer.from(JSON.stringify(content))).toString('base64url'),
    open: (eventId, sealed) => {
      const content = box.open(eventId, Buffer.from(sealed, 'base64url'));
      return content && (JSON.parse(content.toString('utf8')) as unknown);
    },
  };
}
