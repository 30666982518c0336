import {
  audit,
  contentAccess,
  contentDefinitions,
  guestAccounts,
  inTransaction,
  invitations,
  inviterQuota,
  type Actor,
  type KeyedAccount,
  type Transaction,
} from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import type { Throttled } from '../login/attempts.ts';
import type { NoticeDeps, Origin, SessionDeps } from '../deps.ts';
import { publishSessions } from '../session/sessions.ts';
import { countOnCommit } from '../statistics/count-on-commit.ts';
import { invite, tellOfAccess, type Sharing } from './guest-mails.ts';
import { awaitsGuest, isRevivable, reviveGuest } from './revive-guest.ts';

export type InviteResult = 'Invited' | 'Reinvited' | 'AccessGranted' | 'AlreadyHasAccess';

/** What became of one email. */
export interface Invited {
  email: string;
  accountId: string;
  result: InviteResult;
}

/** How an invitation ended; `gone`: the content was deleted meanwhile. */
export type InviteOutcome = { kind: 'invited'; invited: Invited[] } | { kind: 'gone' } | Throttled;

type Done = { kind: 'done'; invited: Invited[]; changedSessionIds: string[] };

/** How many invitations an inviter sends in a day. */
const INVITATIONS_PER_DAY = 200;

/**
 * Shares content with these emails (`distinctEmails`). Who has no account, or whose guest account is pending or
 * expired with no content left, is invited by a link; who can log in gets access at once and is not downgraded. An
 * account that an administrator disabled or expired is treated alike but gets no mail, stays as it is, and its links
 * open nothing meanwhile.
 */
export async function inviteUsers(
  deps: NoticeDeps & SessionDeps,
  sharing: Sharing & { emails: ReadonlyMap<string, string>; actor: Actor },
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
  return { kind: 'invited', invited: outcome.invited };
}

async function inviteAll(
  deps: NoticeDeps,
  tx: Transaction,
  sharing: Sharing & { emails: ReadonlyMap<string, string> },
  origin: Origin,
): Promise<Done | Exclude<InviteOutcome, { kind: 'invited' }>> {
  const { content, sharer, emails } = sharing;
  const locale = sharer.account?.locale ?? 'en';
  const invitees = [...emails].map(([key, email]) => ({ id: newId(), email, emailKey: key, locale }));
  const accounts = await guestAccounts.lockOrInsert(tx, invitees);
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

  const changed: string[] = [];
  for (const plan of plans) changed.push(...(await carryOut(deps, tx, plan, sharing, origin)));
  const byKey = new Map(plans.map((plan) => [plan.account.emailKey, plan]));
  const invited = [...emails].flatMap(([key, email]) => {
    const plan = byKey.get(key);
    return plan === undefined ? [] : [{ email, accountId: plan.account.id, result: plan.result }];
  });
  return { kind: 'done', invited, changedSessionIds: changed };
}

async function record(
  tx: Transaction,
  { content, actor }: { content: Sharing['content']; actor: Actor },
  invited: readonly Invited[],
  origin: Origin,
): Promise<void> {
  const changes = invited.filter(({ result }) => result !== 'AlreadyHasAccess');
  const entries = changes.map(({ accountId, result }) => ({
    action: 'user.invited' as const,
    actor,
    target: { kind: 'Account' as const, id: accountId },
    details: { ContentDefinitionId: content.id, Result: result },
  }));
  await audit.append(tx, entries, origin);
}

function resultFor(
  account: KeyedAccount,
  { hasAccess, hasAnyAccess, isPending }: Record<'hasAccess' | 'hasAnyAccess' | 'isPending', boolean>,
): InviteResult {
  if (awaitsGuest(account, hasAnyAccess)) return isPending ? 'Reinvited' : 'Invited';
  return hasAccess ? 'AlreadyHasAccess' : 'AccessGranted';
}

/** Returns the sessions that this changed. */
async function carryOut(
  deps: NoticeDeps,
  tx: Transaction,
  { account, result }: { account: KeyedAccount; result: InviteResult },
  sharing: Sharing,
  origin: Origin,
): Promise<string[]> {
  if (result === 'AlreadyHasAccess') return [];
  if (result === 'AccessGranted') {
    const { content, sharer } = sharing;
    const grant = { contentDefinitionId: content.id, accountId: account.id, grantedBy: sharer.account?.id };
    await contentAccess.grant(tx, grant);
    await tellOfAccess(deps, tx, account, 'guest.access-granted', { ...sharing, origin, mails: true });
    return [];
  }
  const changed = isRevivable(account)
    ? await reviveGuest(deps, tx, account, { changedBy: sharing.sharer.account?.id, origin })
    : [];
  countOnCommit(deps, tx, 'invitation.sent');
  await invite(deps, tx, account, sharing, { isFirst: result === 'Invited', origin });
  return changed;
}
