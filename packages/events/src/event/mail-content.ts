import { Email, Text, Timestamp, Type, Uuid, type Static, type TObject } from '@gatehouse/schema';
import { mailKinds, type MailingType, type MailKind, type MailKindOf } from './contracts.ts';

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
  At: Type.Optional(Timestamp()),
  /** As generated; the mail shows it as `XXXX-XXXX`. */
  Code: Text(64),
  /** The code’s row: a code that was replaced in the meantime is not mailed. */
  CodeId: Uuid(),
  CodeExpiresAt: Timestamp(),
});

const NoticeMail = Type.Object({
  ...recipient,
  At: Timestamp(),
  ...source,
});

const EmailChangedMail = Type.Object({
  ...recipient,
  At: Timestamp(),
  ...source,
  /** The secret of the link that takes back the change, and when it expires. */
  TakeBack: Type.Object({ Code: Text(100), Until: Timestamp() }),
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
  InviterName: Type.Optional(Text(200)),
  /** The secret of the link, which only the mail contains. */
  InvitationToken: Text(100),
  InvitationExpiresAt: Timestamp(),
  AccessExpiresAt: Type.Optional(Timestamp()),
});

const AccessMail = Type.Object({
  ...recipient,
  ContentName: Text(200),
  ContentDefinitionId: Uuid(),
  /** When the granted access ends; absent if it does not. */
  AccessExpiresAt: Type.Optional(Timestamp()),
});

/** To an administrator, about a webhook that the hook worker has disabled. */
const WebhookMail = Type.Object({ ...recipient, At: Timestamp(), WebhookName: Text(200) });

/** Shows that mails arrive, and when this one was requested. */
const TestMail = Type.Object({ ...recipient, At: Timestamp() });

/** What mails that are no security notices need to be written. */
const ownContents = {
  'verification-code': CodeMail,
  'password-reset': CodeMail,
  'login-code': CodeMail,
  'mailbox-code': CodeMail,
  'account-invitation': CodeMail,
  'email-change-code': CodeMail,
  'email-changed': EmailChangedMail,
  'two-factor-code': CodeMail,
  'erasure-code': CodeMail,
  'already-registered': NoticeMail,
  'address-taken': NoticeMail,
  'erasure-scheduled': ErasureMail,
  'account-erased': NoticeMail,
  invitation: InvitationMail,
  'access-granted': AccessMail,
  'access-removed': AccessMail,
  'webhook-disabled': WebhookMail,
  test: TestMail,
} as const satisfies Partial<Record<MailKind, TObject>>;

/** Security notices, which say what happened, when and from where. */
export type NoticeKind = Exclude<MailKind, keyof typeof ownContents>;

export const noticeKinds = mailKinds.filter((kind): kind is NoticeKind => !Object.hasOwn(ownContents, kind));

/** What each kind of mail needs to be written. It travels sealed. */
export const mailContents = {
  // Its keys are just these.
  ...(Object.fromEntries(noticeKinds.map((kind) => [kind, NoticeMail])) as Record<
    NoticeKind,
    typeof NoticeMail
  >),
  ...ownContents,
};

export type MailContentOf<K extends MailKind> = Static<(typeof mailContents)[K]>;

export type MailContent = MailContentOf<MailKind>;

/** Types whose mail says what happened, when and from where. */
export type NoticeType = {
  [T in MailingType]: MailKindOf<T> extends NoticeKind | 'already-registered' | 'address-taken' ? T : never;
}[MailingType];
