import { Enum, Integers, Text, Timestamp, Type, Uuid } from '@gatehouse/schema';
import type { Static, TObject, TProperties } from '@gatehouse/schema';

export const FaceMatchType = {
  Automatch: 1,
  ProbableMatch: 2,
  NotMatch: 3,
  ConfirmedMatch: 4,
  Blurry: 5,
} as const;
export type FaceMatchType = (typeof FaceMatchType)[keyof typeof FaceMatchType];

/**
 * The data of an event type, and the mail that it sends, if any; with an optional `Mail`, it may send none. A kind of
 * mail without content of its own (mail-content.ts) is a security notice.
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

/** An event about an account that sends this kind of mail … */
function mailing<const K extends string>(mail: K) {
  return { data: Type.Object({ ...account, Mail }), mail };
}

/** … or one with these fields, which sends it unless the hourly limit of notices is reached. */
function notifying<const K extends string, P extends TProperties>(mail: K, fields: P) {
  return { data: Type.Object({ ...fields, Mail: Notice }), mail };
}

/** All events by type, which is also the routing key (docs/events.md). */
export const contracts = {
  'account.registered': { data: Type.Object(account) },
  'account.registration-repeated': notifying('already-registered', account),
  'account.verification-requested': mailing('verification-code'),
  'account.verified': { data: Type.Object(account) },
  'account.password-reset-requested': mailing('password-reset'),
  'account.login-code-requested': mailing('login-code'),
  'account.mailbox-code-requested': mailing('mailbox-code'),
  'account.invited': mailing('account-invitation'),
  'account.password-changed': notifying('password-changed', { ...account, Reason: Type.Optional(Reason) }),
  'account.email-change-requested': mailing('email-change-code'),
  'account.email-change-announced': notifying('email-change-notice', account),
  'account.email-changed': notifying('email-changed', account),
  'account.email-set': notifying('email-set', account),
  'account.email-claimed': notifying('address-taken', account),
  'account.two-factor-requested': mailing('two-factor-code'),
  'account.two-factor-enabled': notifying('two-factor-enabled', account),
  'account.two-factor-disabled': notifying('two-factor-disabled', account),
  'account.recovery-code-used': notifying('recovery-code-used', account),
  'account.recovery-codes-renewed': notifying('recovery-codes-renewed', account),
  'account.passkey-added': notifying('passkey-added', { ...account, PasskeyId: Uuid() }),
  'account.passkey-removed': notifying('passkey-removed', { ...account, PasskeyId: Uuid() }),
  'account.passkey-changed': notifying('passkey-changed', { ...account, PasskeyId: Uuid() }),
  'passkey.cloned': notifying('passkey-cloned', { ...account, PasskeyId: Uuid() }),
  'account.app-connected': notifying('app-connected', { ...account, ClientId: Uuid() }),
  'account.identity-linked': notifying('identity-linked', { ...account, Provider: ProviderId }),
  'account.identity-unlinked': notifying('identity-unlinked', {
    ...account,
    Provider: Type.Optional(ProviderId),
  }),
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
  'account.erasure-code-requested': mailing('erasure-code'),
  'account.erasure-scheduled': notifying('erasure-scheduled', {
    ...account,
    ErasesAt: Timestamp(),
    ChangedBy,
  }),
  'account.erasure-taken-back': { data: Type.Object({ ...account, ChangedBy }) },
  'account.erased': notifying('account-erased', account),
  'account.locked': { data: Type.Object({ ...account, BlockedUntil: Type.Optional(Timestamp()) }) },
  'guest.invited': notifying('invitation', {
    ...account,
    InvitationId: Uuid(),
    InvitedBy: Type.Optional(Uuid()),
    ContentDefinitionId: Uuid(),
    AccessExpiresAt,
  }),
  'guest.access-granted': notifying('access-granted', {
    ...account,
    GrantedBy: Type.Optional(Uuid()),
    ContentDefinitionId: Uuid(),
    AccessExpiresAt,
  }),
  'guest.registered': { data: Type.Object(account) },
  'guest.removed': notifying('access-removed', {
    ...account,
    RemovedBy: Type.Optional(Uuid()),
    ContentDefinitionId: Uuid(),
  }),
  'session.started': { data: Type.Object({ ...session, Status, SessionTag }) },
  'session.new-device': notifying('new-device', session),
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
  'refresh-token.reused': notifying('refresh-token-reused', session),
  'mail.test-requested': mailing('test'),
  'webhook.test-requested': { data: Type.Object({ WebhookId: Uuid() }) },
  'webhook.disabled': notifying('webhook-disabled', {
    ...account,
    WebhookId: Uuid(),
    Reason: Type.Optional(Enum(['Gone', 'Failing'])),
  }),
  'person.created': { data: Type.Object({ PersonId: Uuid() }) },
  'person.updated': { data: Type.Object({ PersonId: Uuid() }) },
  'person.deleted': { data: Type.Object({ PersonId: Uuid() }) },
  'face.matched': { data: Type.Object(face) },
  'face.reviewed': { data: Type.Object({ ...face, ReviewedBy: Type.Optional(Uuid()) }) },
} as const satisfies Record<string, Contract>;

export type EventType = keyof typeof contracts;

export type EventData<T extends EventType> = Static<(typeof contracts)[T]['data']>;

export type MailingType = {
  [T in EventType]: (typeof contracts)[T] extends { mail: string } ? T : never;
}[EventType];

export type MailKindOf<T extends MailingType> = (typeof contracts)[T]['mail'];

export type MailKind = MailKindOf<MailingType>;

export const eventTypes = Object.keys(contracts) as EventType[]; // the keys of a literal are just these

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(contracts, text);
}

export function mailKindOf(type: EventType): MailKind | undefined {
  const contract: Contract = contracts[type];
  return contract.mail as MailKind | undefined; // which `contracts` names
}

export const mailingTypes = eventTypes.filter((type) => mailKindOf(type) !== undefined);

export const mailKinds: readonly MailKind[] = [
  ...new Set(eventTypes.flatMap((type) => mailKindOf(type) ?? [])),
];
