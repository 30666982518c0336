import {
  audit,
  contentAccess,
  contentDefinitions,
  guestAccounts,
  inTransaction,
  invitations,
  inviterQuota,
  outbox,
  type Actor,
  type KeyedAccount,
  type Transaction,
} from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { accountUpdated, differingNames } from '../account/admin/account-updated.ts';
import type { Throttled } from '../checks/attempts.ts';
import type { NoticeDeps, Origin, SessionDeps } from '../deps.ts';
import { publishSessions } from '../session/sessions.ts';
import { countOnCommit } from '../checks/count-on-commit.ts';
import { invite, notifyOfAccess, type AccessEnd, type Sharing } from './guest-mails.ts';
import { isWaitingForGuest, isRevivable, reviveGuest } from './revive-guest.ts';

/** The possible results for an email that is invited. */
export const INVITE_RESULTS = ['Invited', 'AccessGranted', 'AlreadyHasAccess', 'Reinvited'] as const;

type InviteResult = (typeof INVITE_RESULTS)[number];

/** The result for one email. */
export interface Invited {
  email: string;
  accountId: string;
  result: InviteResult;
}

/** The emails to share content with (`distinctEmails`), the actor, the end of the access, and the language of new guests. */
interface Invitation extends Sharing {
  emails: ReadonlyMap<string, string>;
  actor: Actor;
  accessExpiresAt?: AccessEnd;
  locale?: string | undefined;
}

/** The result of an invitation; `gone`: the content was deleted meanwhile. */
export type InviteOutcome = { kind: 'invited'; invited: Invited[] } | { kind: 'gone' } | Throttled;

type Done = { kind: 'done'; invited: (Invited & { isChange: boolean })[]; changedSessionIds: string[] };

/** How many invitations an inviter may send per day. */
export const INVITATIONS_PER_DAY = 200;

/**
 * Shares content with these emails (`distinctEmails`). An email without a verified account, or with a guest account that
 * is pending or expired without content, is invited by a link. Accounts that can log in get access at once and keep their
 * role. An account that an administrator disabled or expired is treated the same, but gets no mail and stays disabled
 * or expired, and its links do not work meanwhile. If there already is access or an invitation, a given end replaces
 * its earlier one.
 */
export async function inviteUsers(
  deps: NoticeDeps & SessionDeps,
  sharing: Invitation,
  origin: Origin,
): Promise<InviteOutcome> {
  const outcome = await inTransaction<Done | Exclude<InviteOutcome, { kind: 'invited' }>>(
    deps.db,
    origin,
    async (tx, rollBack) => {
      const done = await inviteAll(deps, tx, sharing, origin);
      if (done.kind !== 'done') return rollBack(done);
      await record(tx, sharing, done.invited, origin);
      return done;
    },
  );
  if (outcome.kind !== 'done') return outcome;
  await publishSessions(deps, outcome.changedSessionIds);
  const invited = outcome.invited.map(({ email, accountId, result }) => ({ email, accountId, result }));
  return { kind: 'invited', invited };
}

async function inviteAll(
  deps: NoticeDeps,
  tx: Transaction,
  sharing: Invitation,
  origin: Origin,
): Promise<Done | Exclude<InviteOutcome, { kind: 'invited' }>> {
  const { content, sharer, emails } = sharing;
  const locale = sharing.locale ?? sharer.account?.locale ?? 'en';
  const invitees = [...emails].map(([key, email]) => ({ id: newId(), email, emailKey: key, locale }));
  const accounts = await withdrawRegistrations(tx, await guestAccounts.lockOrInsert(tx, invitees), {
    changedBy: sharer.account?.id,
    origin,
  });
  if (!(await contentDefinitions.lockAgainstDeletion(tx, content.id))) return { kind: 'gone' };

  const ids = accounts.map(({ id }) => id);
  const holders = new Set(await contentAccess.findHolders(tx, content.id, ids));
  const holdersOfAny = new Set(await contentAccess.findHoldersOfAny(tx, ids));
  const pending = new Set(await invitations.findPending(tx, content.id, ids));
  const plans = accounts.map((account) => ({
    account,
    result: resultFor(account, {
      hasAccess: holders.has(account.id) || content.ownerId === account.id,
      hasAnyAccess: holdersOfAny.has(account.id),
      isPending: pending.has(account.id),
    }),
  }));
  const count = plans.filter(({ result }) => result !== 'AlreadyHasAccess').length;
  const waitSeconds =
    count === 0 ? undefined : await inviterQuota.take(tx, sharer.id, { count, perDay: INVITATIONS_PER_DAY });
  if (waitSeconds !== undefined) return { kind: 'throttled', retryAfterSeconds: waitSeconds };

  const done = new Map<string, Plan & Effect>();
  for (const plan of plans)
    done.set(plan.account.emailKey, { ...plan, ...(await carryOut(deps, tx, plan, sharing, origin)) });
  const invited = [...emails].flatMap(([key, email]) => {
    const one = done.get(key);
    if (one === undefined) return [];
    return [{ email, accountId: one.account.id, result: one.result, isChange: one.isChange }];
  });
  return { kind: 'done', invited, changedSessionIds: [...done.values()].flatMap((one) => one.sessionIds) };
}

/**
 * Treats an address that was registered, but never verified, like one without an account: otherwise a stranger who has
 * registered it would get the access.
 */
async function withdrawRegistrations(
  tx: Transaction,
  accounts: KeyedAccount[],
  by: { changedBy: string | undefined; origin: Origin },
): Promise<KeyedAccount[]> {
  const unverified = accounts.filter((account) => account.signup === 'complete' && !account.isEmailVerified);
  if (unverified.length === 0) return accounts;
  const withdrawn = await guestAccounts.withdrawRegistrations(
    tx,
    unverified.map(({ id }) => id),
  );
  const now = new Map(withdrawn.map((account) => [account.id, account]));
  for (const account of unverified) {
    const after = now.get(account.id);
    if (after === undefined) continue;
    const changed = differingNames(account, after);
    changed.push('Role');
    await outbox.add(tx, accountUpdated(account.id, changed, { ...by, role: after.role }));
  }
  return accounts.map((account) => now.get(account.id) ?? account);
}

async function record(
  tx: Transaction,
  { content, actor, accessExpiresAt }: Invitation,
  invited: Done['invited'],
  origin: Origin,
): Promise<void> {
  const changes = invited.filter(({ isChange }) => isChange);
  const end = accessExpiresAt === undefined ? {} : { ExpiresAt: accessExpiresAt };
  const entries = changes.map(({ accountId, result }) => ({
    action: 'user.invited' as const,
    actor,
    target: { kind: 'Account' as const, id: accountId },
    details: { ContentDefinitionId: content.id, Result: result, ...end },
  }));
  await audit.append(tx, entries, origin);
}

function resultFor(
  account: KeyedAccount,
  { hasAccess, hasAnyAccess, isPending }: Record<'hasAccess' | 'hasAnyAccess' | 'isPending', boolean>,
): InviteResult {
  if (isWaitingForGuest(account, hasAnyAccess)) return isPending ? 'Reinvited' : 'Invited';
  return hasAccess ? 'AlreadyHasAccess' : 'AccessGranted';
}

interface Plan {
  account: KeyedAccount;
  result: InviteResult;
}

/** Whether anything changed, and the sessions that this changed. */
interface Effect {
  isChange: boolean;
  sessionIds: string[];
}

async function carryOut(
  deps: NoticeDeps,
  tx: Transaction,
  { account, result }: Plan,
  sharing: Invitation,
  origin: Origin,
): Promise<Effect> {
  const { content, sharer, accessExpiresAt } = sharing;
  const access = { contentDefinitionId: content.id, accountId: account.id };
  if (result === 'AlreadyHasAccess') {
    if (accessExpiresAt === undefined) return { isChange: false, sessionIds: [] };
    const isChange = await contentAccess.changeEnd(tx, { ...access, expiresAt: accessExpiresAt });
    const unmailed = { ...sharing, origin, mails: false };
    if (isChange) await notifyOfAccess(deps, tx, account, 'guest.access-granted', unmailed);
    return { isChange, sessionIds: [] };
  }
  if (result === 'AccessGranted') {
    await contentAccess.grant(tx, { ...access, grantedBy: sharer.account?.id, expiresAt: accessExpiresAt });
    await notifyOfAccess(deps, tx, account, 'guest.access-granted', { ...sharing, origin, mails: true });
    return { isChange: true, sessionIds: [] };
  }
  const options = { isFirst: result === 'Invited', accessExpiresAt, origin };
  return { isChange: true, sessionIds: await inviteByLink(deps, tx, account, sharing, options) };
}

/**
 * Invites an account that waits for its guest with a new link; a guest who expired without content starts over. Returns
 * the sessions that this changed.
 */
export async function inviteByLink(
  deps: NoticeDeps,
  tx: Transaction,
  account: KeyedAccount,
  sharing: Sharing,
  options: { isFirst: boolean; accessExpiresAt: AccessEnd; origin: Origin },
): Promise<string[]> {
  const changedBy = sharing.sharer.account?.id;
  const changed = isRevivable(account)
    ? await reviveGuest(deps, tx, account, { changedBy, origin: options.origin })
    : [];
  countOnCommit(deps, tx, 'invitation.sent');
  await invite(deps, tx, account, sharing, options);
  return changed;
}
