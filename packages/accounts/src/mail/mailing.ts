import { newCode, readCode } from '@gatehouse/auth-core';
import {
  accountCodes,
  mailQuota,
  outbox,
  type Account,
  type CodePurpose,
  type Transaction,
} from '@gatehouse/db';
import {
  mailKindOf,
  newEvent,
  newMailEvent,
  type EventData,
  type MailingType,
  type NoticeType,
} from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import type { Throttled } from '../login/attempts.ts';
import type { MailDeps, NoticeDeps, OriginFacts } from '../deps.ts';

/** How long codes are valid. */
const CODES = {
  verify: { event: 'account.verification-requested', lifetimeSeconds: 24 * 3600 },
  reset: { event: 'account.password-reset-requested', lifetimeSeconds: 600 },
  'change-email': { event: 'account.email-change-requested', lifetimeSeconds: 24 * 3600 },
  'two-factor': { event: 'account.two-factor-requested', lifetimeSeconds: 600 },
  erase: { event: 'account.erasure-code-requested', lifetimeSeconds: 600 },
} as const satisfies Partial<Record<CodePurpose, { event: MailingType; lifetimeSeconds: number }>>;

/**
 * Who requests a mail. Strangers may make requests in the owner's name, or for an invited address; they must not use up
 * the limits for mails of administrators or inviters.
 */
export type MailRequester = 'own' | 'administrator' | 'invitee';

/** The key under which mails of a kind are counted. */
export function countedAs(kind: string, share: MailRequester): string {
  return `${kind}${COUNTED_AS[share]}`;
}

const COUNTED_AS: Record<MailRequester, string> = {
  own: '',
  administrator: ', by an administrator',
  invitee: ', asked for by the invited',
};

/** How many wrong tries a code allows, from all addresses together: 500 of 2^40 guesses. */
const CODE_TRIES = 500;

/**
 * Creates a code and mails it when the transaction commits. It invalidates the earlier code, except that several codes
 * for verifying an email can be valid at once. `false` if the account has reached its limit of such mails or gets none
 * (`receivesMail`): no code is created then, and the earlier code still works. A `change-email` code goes to the new
 * address: pass the account with that address. The account must be locked by the transaction.
 */
export async function mailCode(
  deps: MailDeps,
  tx: Transaction,
  account: Pick<Account, 'id' | 'email' | 'displayName' | 'locale' | 'isService'>,
  purpose: keyof typeof CODES,
  origin: OriginFacts,
  share: MailRequester = 'own',
): Promise<boolean> {
  if (!receivesMail(account, share)) return false;
  const { event, lifetimeSeconds } = CODES[purpose];
  const counted = countedAs(mailKindOf(event) ?? event, share);
  if (!(await mailQuota.take(tx, account.id, counted, deps.settings.MAILS_PER_HOUR))) return false;
  const code = newCode();
  const id = newId();
  const binding = { purpose, accountId: account.id, email: emailKey(account.email) };
  const hash = deps.codes.hash(binding, readCode(code) ?? '');
  const expiresAt = await accountCodes.replace(tx, {
    accountId: account.id,
    purpose,
    id,
    hash,
    tries: CODE_TRIES,
    lifetimeSeconds,
    email: purpose === 'change-email' ? account.email : undefined,
  });
  const content = {
    ...recipientOf(account),
    // The mail contains the source of the owner's own request, but not that of an administrator.
    ...(share === 'own' && sourceOf(origin)),
    Code: code,
    CodeId: id,
    CodeExpiresAt: expiresAt.toISOString(),
  };
  await outbox.add(tx, [newMailEvent(deps.seal, event, { UserId: account.id }, content, origin)]);
  return true;
}

/**
 * Whether an account gets mails: nobody reads those of a service account. Mails that an administrator requests are an
 * exception, so that its operators can set a new password; nobody else can request one.
 */
export function receivesMail({ isService }: Pick<Account, 'isService'>, share: MailRequester): boolean {
  return !isService || share === 'administrator';
}

/** Like `mailCode` for an administrator, who is told if nothing is mailed. */
export async function mailCodeForAdministrator(
  deps: MailDeps,
  tx: Transaction,
  account: Parameters<typeof mailCode>[2],
  purpose: keyof typeof CODES,
  origin: OriginFacts,
): Promise<Throttled | undefined> {
  if (await mailCode(deps, tx, account, purpose, origin, 'administrator')) return undefined;
  const { event } = CODES[purpose];
  const counted = countedAs(mailKindOf(event) ?? event, 'administrator');
  return { kind: 'throttled', retryAfterSeconds: await mailQuota.secondsLeft(tx, account.id, counted) };
}

/**
 * Has the same effect on the account as `mailCode`, but creates and mails no code, because nobody may get one. `false`
 * if the account's limit is reached, like `mailCode`.
 */
export async function withholdCode(
  deps: Pick<NoticeDeps, 'settings'>,
  tx: Transaction,
  account: Pick<Account, 'id' | 'isService'>,
  purpose: keyof typeof CODES,
): Promise<boolean> {
  if (!receivesMail(account, 'own')) return false;
  const { event } = CODES[purpose];
  const kind = mailKindOf(event) ?? event;
  if (!(await mailQuota.take(tx, account.id, kind, deps.settings.MAILS_PER_HOUR))) return false;
  await accountCodes.deleteOne(tx, account.id, purpose);
  return true;
}

/** Publishes an event about an account, and mails its owner, within the hourly limit of such mails. */
export async function mailNotice<T extends NoticeType>(
  deps: NoticeDeps,
  tx: Transaction,
  account: Pick<Account, 'id' | 'email' | 'displayName' | 'locale' | 'isService'>,
  type: T,
  data: Omit<EventData<T>, 'Mail'>,
  origin: OriginFacts & { deviceName?: string | undefined },
): Promise<void> {
  const kind = mailKindOf(type) ?? type;
  const isWithinShare =
    receivesMail(account, 'own') &&
    (await mailQuota.take(tx, account.id, kind, deps.settings.MAILS_PER_HOUR));
  const content = { ...recipientOf(account), ...sourceOf(origin) };
  const event = isWithinShare
    ? newMailEvent<NoticeType>(deps.seal, type, data, content, origin)
    : newEvent<NoticeType>(type, data, origin);
  await outbox.add(tx, [event]);
}

/** The time of an action, and its client address if known. */
export function sourceOf({ deviceName, address }: OriginFacts & { deviceName?: string | undefined }) {
  return {
    At: new Date().toISOString(),
    ...(deviceName !== undefined && { DeviceName: deviceName }),
    ...(address !== undefined && { IpAddress: address }),
  };
}

/** The recipient of a mail to an account, with the language. */
export function recipientOf(account: Pick<Account, 'email' | 'displayName' | 'locale'>) {
  return {
    Email: account.email,
    Locale: account.locale,
    ...(account.displayName !== null && { DisplayName: account.displayName }),
  };
}
