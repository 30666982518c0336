import { mailContents, type MailContent, type MailKind, type Unseal } from '@gatehouse/events';
import type { Letter, WriteMail } from '@gatehouse/mails';
import { compile, type Check } from '@gatehouse/schema';

/** What was sealed into an event, and the letter that it makes. */
export interface ComposedMail {
  content: MailContent;
  letter: Letter;
}

/** Opens the sealed content of events, checks it and writes the letter; a string says why that cannot be. */
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
    // Just checked against the schema of its kind, whose writer takes no other.
    const content = value as MailContent;
    try {
      return { content, letter: writeMail(kind, content) };
    } catch {
      // A bug of ours, parked on record, so that the mail can be sent again once it is mended.
      return 'the email cannot be rendered';
    }
  };
}
