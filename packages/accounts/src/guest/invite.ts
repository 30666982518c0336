import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { contentAccess, contentDefinitions, guestAccounts, invitations } from '@gatehouse/db';
import type { Actor, KeyedAccount, Transaction } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { accountUpdated, differingNames } from '../account/admin/account-updated.ts';
import type { NoticeDeps, Origin, SessionDeps } from '../deps.ts';
import { countOnCommit } from '../checks/count-on-commit.ts';
import { write, type WriteTransaction } from '../session/write.ts';
import { countMail, LINK_SECONDS, notifyOfAccess, notifyOfInvitation } from './guest-mails.ts';
import { isBlocked, isRevivable, awaitsGuest, reviveGuest } from './remail.ts';
import type { AccessEnd, Invited, InviteResult, Sharing } from './sharing.ts';

const INVITATIONS_PER_DAY = 200;

/** Creates the error to throw if nobody is invited. */
export type RefuseInvitation = (
  code: 'not_found' | 'too_many_requests',
  detail: string,
  facts?: { retryAfterSeconds: number },
) => Error;

/** The emails to share content with (`distinctEmails`), the actor, the end of the access, and the language of new guests. */
interface Invitation extends Sharing {
  emails: ReadonlyMap<string, string>;
  actor: Actor;
  accessExpiresAt?: AccessEnd;
  locale?: string | undefined;
}

/**
 * Shares content. An email without a verified account, or whose guest is pending or expired without content, gets a
 * link; accounts that can log in get access at once and keep their role. So does one that an administrator disabled or
 * expired, which gets no mail and stays so. A given end replaces an earlier one.
 */
export async function inviteUsers(
  deps: NoticeDeps & SessionDeps,
  sharing: Invitation,
  origin: Origin,
  refuse: RefuseInvitation,
): Promise<Invited[]> {
  const { content, emails, actor, accessExpiresAt } = sharing;
  return write(deps, { actor, origin }, async (tx) => {
    const plans = await planAll(tx, sharing, origin, refuse);
    const done = new Map<string, Plan & { isChange: boolean }>();
    for (const plan of plans)
      done.set(plan.account.emailKey, { ...plan, isChange: await carryOut(deps, tx, plan, sharing, origin) });
    const end = accessExpiresAt === undefined ? {} : { ExpiresAt: accessExpiresAt };
    return [...emails].flatMap(([key, email]) => {
      const one = done.get(key);
      if (one === undefined) return [];
      const { account, result, isChange } = one;
      const details = { ContentDefinitionId: content.id, Result: result, ...end };
      if (isChange) tx.audit('user.invited', details, { kind: 'Account', id: account.id });
      return [{ email, accountId: account.id, result }];
    });
  });
}

interface Plan {
  account: KeyedAccount;
  result: InviteResult;
}

/** Locks the accounts of the emails, then the content, and counts the invitations. */
async function planAll(
  tx: WriteTransaction,
  { content, sharer, emails, ...given }: Invitation,
  origin: Origin,
  refuse: RefuseInvitation,
): Promise<Plan[]> {
  const locale = given.locale ?? sharer.account?.locale ?? 'en';
  const invitees = [...emails].map(([key, email]) => ({ id: newId(), email, emailKey: key, locale }));
  const accounts = await withdrawRegistrations(tx, await guestAccounts.lockOrInsert(tx, invitees), {
    changedBy: sharer.account?.id,
    origin,
  });
  await holdContent(tx, content.id, refuse);
  const ids = accounts.map(({ id }) => id);
  const holders = new Set(await contentAccess.findHolders(tx, content.id, ids));
  const holdersOfAny = new Set(await contentAccess.findHoldersOfAny(tx, ids));
  const pending = new Set(await invitations.findPending(tx, content.id, ids));
  const plans = accounts.map((account): Plan => {
    const { id } = account;
    if (awaitsGuest(account, holdersOfAny.has(id)))
      return { account, result: pending.has(id) ? 'Reinvited' : 'Invited' };
    const hasAccess = holders.has(id) || content.ownerId === id;
    return { account, result: hasAccess ? 'AlreadyHasAccess' : 'AccessGranted' };
  });
  const count = plans.filter(({ result }) => result !== 'AlreadyHasAccess').length;
  await countInvitations(tx, { inviterId: sharer.id, count }, refuse);
  return plans;
}

/** Keeps content from being deleted until the transaction ends. Lock accounts first. */
export async function holdContent(tx: Transaction, id: string, refuse: RefuseInvitation): Promise<void> {
  if (!(await contentDefinitions.lockAgainstDeletion(tx, id))) throw refuse('not_found', 'Content not found');
}

/** Counts what an inviter sends in a day: all of it, or nothing. */
export async function countInvitations(
  tx: Transaction,
  { inviterId, count }: { inviterId: string; count: number },
  refuse: RefuseInvitation,
): Promise<void> {
  if (count === 0) return;
  const quota = { count, perDay: INVITATIONS_PER_DAY };
  const retryAfterSeconds = await invitations.takeQuota(tx, inviterId, quota);
  if (retryAfterSeconds !== undefined)
    throw refuse('too_many_requests', 'Daily invitation limit reached', { retryAfterSeconds });
}

/** An address that was registered, but not verified, is like one without an account: a stranger may have done it. */
async function withdrawRegistrations(
  tx: WriteTransaction,
  accounts: KeyedAccount[],
  by: { changedBy: string | undefined; origin: Origin },
): Promise<KeyedAccount[]> {
  const unverified = accounts.filter((account) => account.signup === 'complete' && !account.isEmailVerified);
  if (unverified.length === 0) return accounts;
  const ids = unverified.map(({ id }) => id);
  const withdrawn = await guestAccounts.withdrawRegistrations(tx, ids);
  const now = new Map(withdrawn.map((account) => [account.id, account]));
  for (const account of unverified) {
    const after = now.get(account.id);
    if (after === undefined) continue;
    const changed = differingNames(account, after);
    changed.push('Role');
    for (const event of accountUpdated(account.id, changed, { ...by, role: after.role })) tx.event(event);
  }
  return accounts.map((account) => now.get(account.id) ?? account);
}

/** Returns whether anything changed. */
async function carryOut(
  deps: NoticeDeps,
  tx: WriteTransaction,
  { account, result }: Plan,
  sharing: Invitation,
  origin: Origin,
): Promise<boolean> {
  const { content, sharer, accessExpiresAt } = sharing;
  const access = { contentDefinitionId: content.id, accountId: account.id };
  if (result === 'AlreadyHasAccess') {
    if (accessExpiresAt === undefined) return false;
    const isChange = await contentAccess.changeEnd(tx, { ...access, expiresAt: accessExpiresAt });
    const unmailed = { ...sharing, origin, mails: false };
    if (isChange) await notifyOfAccess(deps, tx, account, 'guest.access-granted', unmailed);
    return isChange;
  }
  if (result === 'AccessGranted') {
    await contentAccess.grant(tx, { ...access, grantedBy: sharer.account?.id, expiresAt: accessExpiresAt });
    await notifyOfAccess(deps, tx, account, 'guest.access-granted', { ...sharing, origin, mails: true });
    return true;
  }
  await inviteByLink(deps, tx, account, sharing, { isFirst: result === 'Invited', accessExpiresAt, origin });
  return true;
}

/**
 * Mails a new link, which invalidates the earlier one; a guest who expired without content starts over. If no mail may
 * be sent (disabled, permanently expired, or beyond the limit), an earlier link stays valid; a first invitation is
 * stored even so, and becomes access with another one. A given end of access applies in any case.
 */
export async function inviteByLink(
  deps: NoticeDeps,
  tx: WriteTransaction,
  account: KeyedAccount,
  { content, sharer }: Sharing,
  options: { isFirst: boolean; accessExpiresAt: AccessEnd; origin: Origin },
): Promise<void> {
  const { isFirst, accessExpiresAt, origin } = options;
  const invitedBy = sharer.account?.id;
  if (isRevivable(account)) await reviveGuest(tx, account, { changedBy: invitedBy, origin });
  countOnCommit(deps, tx, 'invitation.sent');
  const of = { accountId: account.id, contentDefinitionId: content.id };
  const mayMail = !isBlocked(account) && (await countMail(deps, tx, account, 'invitation'));
  if (!mayMail && !isFirst) {
    if (accessExpiresAt !== undefined) await invitations.changeAccessEnd(tx, { ...of, accessExpiresAt });
    return;
  }
  const token = newInvitationToken();
  const eventId = newId();
  const { id, ...ends } = await invitations.replace(tx, {
    id: newId(),
    ...of,
    tokenHash: hashInvitationToken(token),
    invitedBy,
    lifetimeSeconds: LINK_SECONDS,
    mailEventId: mayMail ? eventId : undefined,
    accessExpiresAt,
  });
  const invitation = { id, account, content, inviter: sharer.account, accessExpiresAt: ends.accessExpiresAt };
  const link = mayMail ? { token, expiresAt: ends.expiresAt } : undefined;
  notifyOfInvitation(deps, tx, invitation, link, { ...origin, id: eventId });
}
