import { Enum, Integers, type Static, Text, Timestamp, type TObject, Type, Uuid } from '@gatehouse/schema';

/** How a face relates to a person. */
export const FaceMatchType = {
  Automatch: 1,
  ProbableMatch: 2,
  NotMatch: 3,
  ConfirmedMatch: 4,
  Blurry: 5,
} as const;
export type FaceMatchType = (typeof FaceMatchType)[keyof typeof FaceMatchType];

/**
 * The contract of an event type: its data, and the kind of mail that it sends, if any. If `Mail` is optional, an event
 * without it reports the same and sends no mail. A kind of mail without content of its own (mail-content.ts) is a security
 * notice.
 */
interface Contract {
  data: TObject;
  mail?: string;
}

/** Sealed for the mail worker (`createSeal`): the queue and other consumers see no address and no code. */
const Mail = Type.String({
  pattern: /^[\w-]+$/.source,
  maxLength: 8192,
  description: 'Encrypted for the mail worker',
});
/** Absent if the hourly limit of notices is reached: other consumers still get the event. */
const Notice = Type.Optional(Mail);
const Reason = Text(200);
const ProviderId = Text(200);
const Status = Type.Integer({ minimum: 1, maximum: 8, description: 'The status of the session' });
const Role = Enum(['User', 'Guest', 'Admin']);
const ChangedBy = Type.Optional(Uuid());
/** Absent if the access does not end. */
const AccessExpiresAt = Type.Optional(Timestamp());
const account = { UserId: Uuid() };
const face = { PersonId: Uuid(), FaceId: Uuid(), FaceMatchType: Integers(FaceMatchType) };
const session = { UserId: Uuid(), SessionId: Uuid() };
/** Absent if the session has none. */
const SessionTag = Type.Optional(Text(32));

/** All events by type, which is also the routing key (docs/events.md). */
export const contracts = {
  'account.registered': { data: Type.Object(account) },
  'account.registration-repeated': {
    data: Type.Object({ ...account, Mail: Notice }),
    mail: 'already-registered',
  },
  'account.verification-requested': { data: Type.Object({ ...account, Mail }), mail: 'verification-code' },
  'account.verified': { data: Type.Object(account) },
  'account.password-reset-requested': { data: Type.Object({ ...account, Mail }), mail: 'password-reset' },
  'account.login-code-requested': { data: Type.Object({ ...account, Mail }), mail: 'login-code' },
  'account.mailbox-code-requested': { data: Type.Object({ ...account, Mail }), mail: 'mailbox-code' },
  'account.invited': { data: Type.Object({ ...account, Mail }), mail: 'account-invitation' },
  'account.password-changed': {
    data: Type.Object({ ...account, Reason: Type.Optional(Reason), Mail: Notice }),
    mail: 'password-changed',
  },
  'account.email-change-requested': { data: Type.Object({ ...account, Mail }), mail: 'email-change-code' },
  'account.email-change-announced': {
    data: Type.Object({ ...account, Mail: Notice }),
    mail: 'email-change-notice',
  },
  'account.email-changed': { data: Type.Object({ ...account, Mail: Notice }), mail: 'email-changed' },
  'account.email-set': { data: Type.Object({ ...account, Mail: Notice }), mail: 'email-set' },
  'account.email-claimed': { data: Type.Object({ ...account, Mail: Notice }), mail: 'address-taken' },
  'account.two-factor-requested': { data: Type.Object({ ...account, Mail }), mail: 'two-factor-code' },
  'account.two-factor-enabled': {
    data: Type.Object({ ...account, Mail: Notice }),
    mail: 'two-factor-enabled',
  },
  'account.two-factor-disabled': {
    data: Type.Object({ ...account, Mail: Notice }),
    mail: 'two-factor-disabled',
  },
  'account.recovery-code-used': {
    data: Type.Object({ ...account, Mail: Notice }),
    mail: 'recovery-code-used',
  },
  'account.recovery-codes-renewed': {
    data: Type.Object({ ...account, Mail: Notice }),
    mail: 'recovery-codes-renewed',
  },
  'account.passkey-added': {
    data: Type.Object({ ...account, PasskeyId: Uuid(), Mail: Notice }),
    mail: 'passkey-added',
  },
  'account.passkey-removed': {
    data: Type.Object({ ...account, PasskeyId: Uuid(), Mail: Notice }),
    mail: 'passkey-removed',
  },
  'account.passkey-changed': {
    data: Type.Object({ ...account, PasskeyId: Uuid(), Mail: Notice }),
    mail: 'passkey-changed',
  },
  'passkey.cloned': {
    data: Type.Object({ ...account, PasskeyId: Uuid(), Mail: Notice }),
    mail: 'passkey-cloned',
  },
  'account.app-connected': {
    data: Type.Object({ ...account, ClientId: Uuid(), Mail: Notice }),
    mail: 'app-connected',
  },
  'account.identity-linked': {
    data: Type.Object({ ...account, Provider: ProviderId, Mail: Notice }),
    mail: 'identity-linked',
  },
  'account.identity-unlinked': {
    data: Type.Object({ ...account, Provider: Type.Optional(ProviderId), Mail: Notice }),
    mail: 'identity-unlinked',
  },
  'account.updated': {
    data: Type.Object({
      ...account,
      Changed: Type.Array(Text(40), {
        description:
          'The names of the changed fields, as in `/admin/account`. A changed email address is reported by `account.email-changed`.',
      }),
      Role: Type.Optional(Role),
      ChangedBy,
    }),
  },
  'account.disabled': {
    data: Type.Object({
      ...account,
      DisabledUntil: Type.Optional(Timestamp()),
      ChangedBy,
    }),
  },
  'account.enabled': { data: Type.Object({ ...account, ChangedBy }) },
  'account.deleted': { data: Type.Object({ ...account, Reason: Type.Optional(Reason) }) },
  'account.erasure-code-requested': { data: Type.Object({ ...account, Mail }), mail: 'erasure-code' },
  'account.erasure-scheduled': {
    data: Type.Object({ ...account, ErasesAt: Timestamp(), ChangedBy, Mail: Notice }),
    mail: 'erasure-scheduled',
  },
  'account.erasure-taken-back': { data: Type.Object({ ...account, ChangedBy }) },
  'account.erased': { data: Type.Object({ ...account, Mail: Notice }), mail: 'account-erased' },
  'account.locked': { data: Type.Object({ ...account, BlockedUntil: Type.Optional(Timestamp()) }) },
  'guest.invited': {
    data: Type.Object({
      ...account,
      InvitationId: Uuid(),
      InvitedBy: Type.Optional(Uuid()),
      ContentDefinitionId: Uuid(),
      AccessExpiresAt,
      Mail: Notice,
    }),
    mail: 'invitation',
  },
  'guest.access-granted': {
    data: Type.Object({
      ...account,
      GrantedBy: Type.Optional(Uuid()),
      ContentDefinitionId: Uuid(),
      AccessExpiresAt,
      Mail: Notice,
    }),
    mail: 'access-granted',
  },
  'guest.registered': { data: Type.Object(account) },
  'guest.removed': {
    data: Type.Object({
      ...account,
      RemovedBy: Type.Optional(Uuid()),
      ContentDefinitionId: Uuid(),
      Mail: Notice,
    }),
    mail: 'access-removed',
  },
  'session.started': { data: Type.Object({ ...session, Status, SessionTag }) },
  'session.new-device': { data: Type.Object({ ...session, Mail: Notice }), mail: 'new-device' },
  'session.status-changed': {
    data: Type.Object({
      ...session,
      Status,
      Reason: Type.Optional(Reason),
      ChangedBy: Type.Optional(Uuid()),
      SessionTag,
    }),
  },
  'app.signed-out': {
    data: Type.Object({
      ...session,
      ClientId: Uuid(),
      ClientSessionId: Uuid(),
      Reason: Type.Optional(Reason),
    }),
  },
  'session.ended': { data: Type.Object({ ...session, Status, Reason: Type.Optional(Reason), SessionTag }) },
  'refresh-token.reused': { data: Type.Object({ ...session, Mail: Notice }), mail: 'refresh-token-reused' },
  'mail.test-requested': { data: Type.Object({ ...account, Mail }), mail: 'test' },
  'webhook.test-requested': { data: Type.Object({ WebhookId: Uuid() }) },
  'webhook.disabled': {
    data: Type.Object({
      ...account,
      WebhookId: Uuid(),
      Reason: Type.Optional(Enum(['Gone', 'Failing'])),
      Mail: Notice,
    }),
    mail: 'webhook-disabled',
  },
  'person.created': { data: Type.Object({ PersonId: Uuid() }) },
  'person.updated': { data: Type.Object({ PersonId: Uuid() }) },
  'person.deleted': { data: Type.Object({ PersonId: Uuid() }) },
  'face.matched': { data: Type.Object(face) },
  'face.reviewed': { data: Type.Object({ ...face, ReviewedBy: Type.Optional(Uuid()) }) },
} as const satisfies Record<string, Contract>;

export type EventType = keyof typeof contracts;

/** The data of an event type. */
export type EventData<T extends EventType> = Static<(typeof contracts)[T]['data']>;

/** The event types that send a mail. */
export type MailingType = {
  [T in EventType]: (typeof contracts)[T] extends { mail: string } ? T : never;
}[EventType];

/** The kind of mail that an event type sends. */
export type MailKindOf<T extends MailingType> = (typeof contracts)[T]['mail'];

export type MailKind = MailKindOf<MailingType>;

export const eventTypes = Object.keys(contracts) as EventType[]; // the keys of a literal are just these

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(contracts, text);
}

/** The kind of mail that this event type sends; `undefined` if none. */
export function mailKindOf(type: EventType): MailKind | undefined {
  const contract: Contract = contracts[type];
  return contract.mail as MailKind | undefined; // which `contracts` names
}

export const mailingTypes = eventTypes.filter((type) => mailKindOf(type) !== undefined);

export const mailKinds: readonly MailKind[] = [
  ...new Set(eventTypes.flatMap((type) => mailKindOf(type) ?? [])),
];
