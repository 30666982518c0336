import { newCode, readCode } from '@gatehouse/auth-core';
import { accountCodes, mailQuota, outbox, sessionsOfOwner } from '@gatehouse/db';
import type { Account, CodePurpose, Executor, Transaction } from '@gatehouse/db';
import { mailKindOf, newEvent, newMailEvent } from '@gatehouse/events';
import type { EventData, MailingType, NoticeType } from '@gatehouse/events';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { describeUserAgent } from '@gatehouse/intake';
import type { Throttled } from './attempts.ts';
import type { MailDeps, NoticeDeps, OriginFacts } from '../deps.ts';

const CODES = {
  verify: { event: 'account.verification-requested', lifetimeSeconds: 24 * 3600 },
  reset: { event: 'account.password-reset-requested', lifetimeSeconds: 600 },
  'change-email': { event: 'account.email-change-requested', lifetimeSeconds: 24 * 3600 },
  'two-factor': { event: 'account.two-factor-requested', lifetimeSeconds: 600 },
  erase: { event: 'account.erasure-code-requested', lifetimeSeconds: 600 },
  mailbox: { event: 'account.mailbox-code-requested', lifetimeSeconds: 600 },
  complete: { event: 'account.invited', lifetimeSeconds: 7 * 24 * 3600 },
} as const satisfies Partial<Record<CodePurpose, { event: MailingType; lifetimeSeconds: number }>>;

/**
 * Who requests a mail. Strangers may request one in the owner's name, or for an invited address; they must not use up
 * the limits of administrators or inviters.
 */
export type MailRequester = 'own' | 'administrator' | 'invitee';

type Share = MailRequester | 'known';

export function countedAs(kind: string, share: Share): string {
  return `${kind}${COUNTED_AS[share]}`;
}

const COUNTED_AS: Record<Share, string> = {
  own: '',
  known: ', asked for from a known address',
  administrator: ', by an administrator',
  invitee: ', asked for by the invited',
};

/** How many wrong tries a code allows, from all addresses together: 500 of 2^40 guesses. */
const CODE_TRIES = 500;

/** The limit under which a request counts: addresses that the account was used from have one of their own. */
export async function shareOf(
  tx: Transaction,
  accountId: string,
  share: MailRequester,
  { askedFrom, addressGroup }: OriginFacts,
): Promise<Share> {
  if (share !== 'own') return share;
  const groups = askedFrom ?? (addressGroup === undefined ? [] : [addressGroup]);
  return (await sessionsOfOwner.hasRecentLoginFrom(tx, accountId, ...groups)) ? 'known' : 'own';
}

/**
 * Counts a mail with a code; `false` if none may be sent. If no code lives any more, one is mailed beyond the limit:
 * otherwise a stranger's `MAILS_PER_HOUR` requests would keep the owner from one for the rest of the hour.
 */
export async function takeCodeMail(
  deps: Pick<NoticeDeps, 'settings'>,
  tx: Transaction,
  account: Pick<Account, 'id' | 'isService'>,
  { kind, share, hasActive }: { kind: string; share: Share; hasActive: () => Promise<boolean> },
): Promise<boolean> {
  if (!receivesMail(account, share)) return false;
  if (await mailQuota.take(tx, account.id, countedAs(kind, share), deps.settings.MAILS_PER_HOUR)) return true;
  return share !== 'administrator' && !(await hasActive());
}

function kindOf(purpose: keyof typeof CODES): string {
  const { event } = CODES[purpose];
  return mailKindOf(event) ?? event;
}

/**
 * Creates a code and mails it when the transaction, which has locked the account, commits. It replaces the earlier code
 * (several for verifying an email live side by side). `false` beyond the limit of mails, or if the account gets none:
 * no code is made then, and the earlier one works, so there always is a code that works or a mail with a new one. A
 * `change-email` code goes to the new address: pass the account with that.
 */
export async function mailCode(
  deps: MailDeps,
  tx: Transaction,
  account: Pick<Account, 'id' | 'email' | 'displayName' | 'locale' | 'isService'>,
  purpose: keyof typeof CODES,
  origin: OriginFacts,
  share: MailRequester = 'own',
): Promise<boolean> {
  const made = await makeCode(deps, tx, account, purpose, { share, origin });
  if (made === undefined) return false;
  const content = {
    ...recipientOf(account),
    // The mail contains the source of the owner's own request, but not that of an administrator.
    ...(share === 'own' && sourceOf(origin)),
    ...made,
  };
  const { event } = CODES[purpose];
  await outbox.add(tx, [newMailEvent(deps.seal, event, { UserId: account.id }, content, origin)]);
  return true;
}

/** Like `mailCode` but without a mail, as nobody may get the code: account, limits and later requests look the same. */
export async function withholdCode(
  deps: Pick<MailDeps, 'settings' | 'codes'>,
  tx: Transaction,
  account: Pick<Account, 'id' | 'email' | 'isService'>,
  purpose: keyof typeof CODES,
  origin: OriginFacts,
): Promise<boolean> {
  return (await makeCode(deps, tx, account, purpose, { share: 'own', origin })) !== undefined;
}

async function makeCode(
  deps: Pick<MailDeps, 'settings' | 'codes'>,
  tx: Transaction,
  account: Pick<Account, 'id' | 'email' | 'isService'>,
  purpose: keyof typeof CODES,
  asked: { share: MailRequester; origin: OriginFacts },
) {
  const share = await shareOf(tx, account.id, asked.share, asked.origin);
  const hasActive = () => accountCodes.hasActive(tx, { accountId: account.id, purpose });
  if (!(await takeCodeMail(deps, tx, account, { kind: kindOf(purpose), share, hasActive }))) return undefined;
  const code = newCode();
  const id = newId();
  const binding = { purpose, accountId: account.id, email: emailKey(account.email) };
  const expiresAt = await accountCodes.replace(tx, {
    accountId: account.id,
    purpose,
    id,
    hash: deps.codes.hash(binding, readCode(code) ?? ''),
    tries: CODE_TRIES,
    lifetimeSeconds: CODES[purpose].lifetimeSeconds,
    email: purpose === 'change-email' ? account.email : undefined,
  });
  return { Code: code, CodeId: id, CodeExpiresAt: expiresAt.toISOString() };
}

/** Nobody reads mails of a service account, but those of an administrator, with which its operators set a password. */
export function receivesMail({ isService }: Pick<Account, 'isService'>, share: Share): boolean {
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
  const counted = countedAs(kindOf(purpose), 'administrator');
  return { kind: 'throttled', retryAfterSeconds: await mailQuota.secondsLeft(tx, account.id, counted) };
}

/** Those of the accounts for which `mailCodeForAdministrator` would mail nothing now. */
export async function usedUp(
  deps: Pick<NoticeDeps, 'settings'>,
  executor: Executor,
  accountIds: readonly string[],
  purpose: keyof typeof CODES,
): Promise<Set<string>> {
  const counted = countedAs(kindOf(purpose), 'administrator');
  return new Set(await mailQuota.findUsedUp(executor, accountIds, counted, deps.settings.MAILS_PER_HOUR));
}

/** Publishes an event about an account, with `details`, and mails its owner, within the hourly limit of such mails. */
export async function mailNotice<T extends NoticeType>(
  deps: NoticeDeps,
  tx: Transaction,
  account: Pick<Account, 'id' | 'email' | 'displayName' | 'locale' | 'isService'>,
  type: T,
  details: Omit<EventData<T>, 'Mail' | 'UserId'>,
  origin: OriginFacts & { deviceName?: string | undefined },
): Promise<void> {
  const data = { UserId: account.id, ...details };
  const content = { ...recipientOf(account), ...sourceOf(origin) };
  const event = (await mayNotify(deps, tx, account, type))
    ? newMailEvent<NoticeType>(deps.seal, type, data, content, origin)
    : newEvent<NoticeType>(type, data, origin);
  await outbox.add(tx, [event]);
}

/** Whether an account gets this notice: counts it, and refuses beyond the hourly limit of such mails. */
export async function mayNotify(
  deps: Pick<NoticeDeps, 'settings'>,
  tx: Transaction,
  account: Pick<Account, 'id' | 'isService'>,
  type: MailingType,
): Promise<boolean> {
  if (!receivesMail(account, 'own')) return false;
  return mailQuota.take(tx, account.id, mailKindOf(type) ?? type, deps.settings.MAILS_PER_HOUR);
}

export function sourceOf({ deviceName, address }: OriginFacts & { deviceName?: string | undefined }) {
  return {
    At: new Date().toISOString(),
    ...(deviceName !== undefined && { DeviceName: deviceName }),
    ...(address !== undefined && { IpAddress: address }),
  };
}

export function recipientOf(account: Pick<Account, 'email' | 'displayName' | 'locale'>) {
  return {
    Email: account.email,
    Locale: account.locale,
    ...(account.displayName !== null && { DisplayName: account.displayName }),
  };
}

export async function mailAboutNewDevice(
  deps: NoticeDeps,
  tx: Transaction,
  account: Account,
  sessionId: string,
  origin: OriginFacts & { deviceName?: string | undefined },
): Promise<void> {
  const { deviceName, userAgent } = origin;
  const from = { ...origin, deviceName: deviceName ?? describeUserAgent(userAgent ?? '') };
  await mailNotice(deps, tx, account, 'session.new-device', { SessionId: sessionId }, from);
}

export function withDevice({ traceId, address, userAgent = '' }: OriginFacts) {
  return { traceId, address, deviceName: describeUserAgent(userAgent) };
}
