import { mailContents, type MailContent, type MailKind, type Unseal } from '@gatehouse/events';
import { compile, type Check } from '@gatehouse/schema';

/** Unseals the content of a mail and validates it; a string says why that fails. */
export type OpenMail = (eventId: string, kind: MailKind, sealed: string) => MailContent | string;

export function createOpenMail(unseal: Unseal): OpenMail {
  const checks = Object.fromEntries(
    Object.entries(mailContents).map(([kind, schema]) => [kind, compile(schema, { unknownFields: 'drop' })]),
  ) as Record<MailKind, Check>; // the same keys

  return (eventId, kind, sealed) => {
    const value = unseal.open(eventId, sealed);
    if (value === undefined) return 'its content cannot be opened: was it sealed with another MAIL_KEY?';
    const problems = checks[kind](value);
    if (problems !== undefined) {
      return `its content is not that of a mail: ${problems.map((one) => `${one.pointer} ${one.message}`).join('; ')}`;
    }
    // The content was validated against the schema of its kind, which is its type.
    return value as MailContent;
  };
}
