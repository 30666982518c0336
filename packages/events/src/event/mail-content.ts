import { Email, Text, Timestamp, Type, Uuid, type Static } from '@gatehouse/schema';

const recipient = {
  Email: Email(),
  DisplayName: Type.Optional(Text(200)),
  Locale: Text(35),
};

/** The client address and device of an action, if they are known and the recipient may see them. */
const source = {
  DeviceName: Type.Optional(Text(200)),
  IpAddress: Type.Optional(Text(64)),
};

const CodeMail = Type.Object({
  ...recipient,
  ...source,
  /** When it was requested. */
  At: Type.Optional(Timestamp()),
  /** As generated; the mail shows it as `XXXX-XXXX`. */
  Code: Text(64),
  /** The code’s row: a code that was replaced in the meantime is not mailed. */
  CodeId: Uuid(),
  CodeExpiresAt: Timestamp(),
});

const NoticeMail = Type.Object({
  ...recipient,
  /** When it happened. */
  At: Timestamp(),
  ...source,
});

const ErasureMail = Type.Object({
  ...recipient,
  ErasesAt: Timestamp(),
  /** The secret of the link that cancels the erasure; absent if only an administrator can cancel it. */
  RestoreCode: Type.Optional(Text(100)),
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
  AccessExpiresAt: Type.Optional(Timestamp()),
});

const AccessMail = Type.Object({
  ...recipient,
  ContentName: Text(200),
  ContentDefinitionId: Type.Optional(Uuid()),
  /** When the granted access ends; absent if it does not. */
  AccessExpiresAt: Type.Optional(Timestamp()),
});

/** Shows that mails arrive, and when this one was requested. */
const TestMail = Type.Object({ ...recipient, At: Timestamp() });

/** Security notices. A new one needs its name here and its texts in each language. */
export const noticeKinds = [
  'password-changed',
  'email-change-notice',
  'email-changed',
  'new-device',
  'two-factor-enabled',
  'two-factor-disabled',
  'recovery-code-used',
  'recovery-codes-renewed',
  'passkey-added',
  'passkey-removed',
  'passkey-cloned',
  'identity-linked',
  'identity-unlinked',
  'refresh-token-reused',
] as const;

export type NoticeKind = (typeof noticeKinds)[number];

/** The content of each kind of mail. It is sent sealed. */
export const mailContents = {
  // Its keys are exactly these.
  ...(Object.fromEntries(noticeKinds.map((kind) => [kind, NoticeMail])) as Record<
    NoticeKind,
    typeof NoticeMail
  >),
  'verification-code': CodeMail,
  'password-reset': CodeMail,
  'email-change-code': CodeMail,
  'two-factor-code': CodeMail,
  'erasure-code': CodeMail,
  'already-registered': NoticeMail,
  'address-taken': NoticeMail,
  'erasure-scheduled': ErasureMail,
  'account-erased': NoticeMail,
  invitation: InvitationMail,
  'access-granted': AccessMail,
  'access-removed': AccessMail,
  test: TestMail,
} as const;

export type MailKind = keyof typeof mailContents;

export const mailKinds = Object.keys(mailContents) as MailKind[]; // the keys of a literal are just these

export type MailContentOf<K extends MailKind> = Static<(typeof mailContents)[K]>;

export type MailContent = MailContentOf<MailKind>;
