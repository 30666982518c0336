import { mailContents, type MailContent, type MailKind, type Unseal } from '@gatehouse/events';
import type { Letter, WriteMail } from '@gatehouse/mails';
import { compile, type Check } from '@gatehouse/schema';

/** The unsealed content of an event, and the letter written from it. */
export interface ComposedMail {
  content: MailContent;
  letter: Letter;
}

/**
 * Unseals the content of events, validates it and writes the letter. Returns a string with the reason if that fails.
 */
export function createMailComposer(unseal: Unseal, writeMail: WriteMail) {
  const checks = Object.fromEntries(
    Object.entries(mailContents).map(([kind, schema]) => [kind, compile(schema, { unknownFields: 'drop' })]),
  ) as Record<MailKind, Check>; // the same keys

  return (eventId: string, kind: MailKind, sealed: string): ComposedMail | string => {
    const value = unseal.open(eventId, sealed);
    if (value === undefined) return 'its content cannot be opened: was it sealed with another MAIL_KEY?';
    const problems = checks[kind](value);
    if (problems !== undefined) {
      return `its content is not that of a mail: ${problems.map((one) => `${one.pointer} ${one.message}`).join('; ')}`;
    }
    // The content was validated against the schema of its kind, which is the type that the writer requires.
    const content = value as MailContent;
    try {
      return { content, letter: writeMail(kind, content) };
    } catch {
      // This is our own bug: the mail is parked so that it can be retried after a fix.
      return 'the email cannot be rendered';
    }
  };
}
