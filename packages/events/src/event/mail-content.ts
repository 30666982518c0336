import { Email, Text, Timestamp, Type, Uuid, type Static } from '@gatehouse/schema';

const recipient = {
  Email: Email(),
  DisplayName: Type.Optional(Text(200)),
  Locale: Text(35),
};

/** Where something was done from, as far as it is known and the reader may know it. */
const source = {
  DeviceName: Type.Optional(Text(200)),
  IpAddress: Type.Optional(Text(64)),
};

const CodeMail = Type.Object({
  ...recipient,
  ...source,
  /** When it was asked for. */
  At: Type.Optional(Timestamp()),
  /** As generated; the mail shows it as `XXXX-XXXX`. */
  Code: Text(64),
  /** The code’s row: a code that was replaced meanwhile is not mailed. */
  CodeId: Uuid(),
  CodeExpiresAt: Timestamp(),
});

const NoticeMail = Type.Object({
  ...recipient,
  /** When it happened. */
  At: Timestamp(),
  ...source,
});

const InvitationMail = Type.Object({
  ...recipient,
  ContentName: Text(200),
  /** The inviter’s name, if there is one. */
  InviterName: Type.Optional(Text(200)),
  /** The secret of the link, which only the mail contains. */
  InvitationToken: Text(100),
  InvitationExpiresAt: Timestamp(),
});

const AccessMail = Type.Object({
  ...recipient,
  ContentName: Text(200),
  ContentDefinitionId: Type.Optional(Uuid()),
});

/** That mails arrive, and when this one was asked for. */
const TestMail = Type.Object({ ...recipient, At: Timestamp() });

/** What each kind of mail needs to be written. It travels sealed. */
export const mailContents = {
  'verification-code': CodeMail,
  'password-reset': CodeMail,
  'already-registered': NoticeMail,
  'password-changed': NoticeMail,
  'refresh-token-reused': NoticeMail,
  'two-factor-code': CodeMail,
  'two-factor-enabled': NoticeMail,
  'two-factor-disabled': NoticeMail,
  'recovery-code-used': NoticeMail,
  'recovery-codes-renewed': NoticeMail,
  'passkey-added': NoticeMail,
  'passkey-removed': NoticeMail,
  'passkey-cloned': NoticeMail,
  'email-change-code': CodeMail,
  'email-change-notice': NoticeMail,
  'email-changed': NoticeMail,
  'address-taken': NoticeMail,
  'new-device': NoticeMail,
  invitation: InvitationMail,
  'access-granted': AccessMail,
  'access-removed': AccessMail,
  test: TestMail,
} as const;

export type MailKind = keyof typeof mailContents;

export const mailKinds = Object.keys(mailContents) as MailKind[]; // the keys of a literal are just these

export type MailContentOf<K extends MailKind> = Static<(typeof mailContents)[K]>;

export type MailContent = MailContentOf<MailKind>;
