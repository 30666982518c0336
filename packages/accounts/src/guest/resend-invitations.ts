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
import type { NoticeDeps, Origin, SessionDeps } from '../deps.ts';
import type { Throttled } from '../checks/attempts.ts';
import { publishSessions } from '../session/sessions.ts';
import type { Sharing } from './guest-mails.ts';
import { INVITATIONS_PER_DAY, inviteByLink } from './invite-users.ts';
import { isWaitingForGuest } from './revive-guest.ts';

/** The possible results for an email whose invitation is sent again. */
export const RESEND_RESULTS = ['Reinvited', 'NotInvited'] as const;

/** The result for each email; `gone`: the content was deleted meanwhile. */
export type ResendOutcome =
  | { kind: 'resent'; resent: { email: string; result: (typeof RESEND_RESULTS)[number] }[] }
  | { kind: 'gone' }
  | Throttled;

type Done = { kind: 'done'; reinvited: ReadonlySet<string>; changedSessionIds: string[] };

/**
 * Invites those of these emails (`distinctEmails`) again that were invited to the content and have not accepted yet.
 * Nobody else is invited, and nobody gets access. An account that an administrator disabled or expired has the same
 * result, but gets no mail.
 */
export async function resendInvitations(
  deps: NoticeDeps & SessionDeps,
  sharing: Sharing & { emails: ReadonlyMap<string, string>; actor: Actor },
  origin: Origin,
): Promise<ResendOutcome> {
  const outcome = await inTransaction<Done | Exclude<ResendOutcome, { kind: 'resent' }>>(
    deps.db,
    origin,
    async (tx, rollBack) => {
      const done = await resendAll(deps, tx, sharing, origin);
      return done.kind === 'done' ? done : rollBack(done);
    },
  );
  if (outcome.kind !== 'done') return outcome;
  await publishSessions(deps, outcome.changedSessionIds);
  const resent = [...sharing.emails].map(([key, email]) => {
    const result = outcome.reinvited.has(key) ? ('Reinvited' as const) : ('NotInvited' as const);
    return { email, result };
  });
  return { kind: 'resent', resent };
}

async function resendAll(
  deps: NoticeDeps,
  tx: Transaction,
  sharing: Sharing & { emails: ReadonlyMap<string, string>; actor: Actor },
  origin: Origin,
): Promise<Done | Exclude<ResendOutcome, { kind: 'resent' }>> {
  const { content, sharer, emails, actor } = sharing;
  const waiting = await lockWaiting(tx, content.id, [...emails.keys()]);
  if (!(await contentDefinitions.lockAgainstDeletion(tx, content.id))) return { kind: 'gone' };
  if (waiting.length === 0) return { kind: 'done', reinvited: new Set(), changedSessionIds: [] };
  const count = { count: waiting.length, perDay: INVITATIONS_PER_DAY };
  const waitSeconds = await inviterQuota.take(tx, sharer.id, count);
  if (waitSeconds !== undefined) return { kind: 'throttled', retryAfterSeconds: waitSeconds };

  const changed: string[] = [];
  // The end of the access stays as it is.
  const again = { isFirst: false, accessExpiresAt: undefined, origin };
  for (const account of waiting) changed.push(...(await inviteByLink(deps, tx, account, sharing, again)));
  const entries = waiting.map(({ id }) => ({
    action: 'user.invited' as const,
    actor,
    target: { kind: 'Account' as const, id },
    details: { ContentDefinitionId: content.id, Result: 'Reinvited' },
  }));
  await audit.append(tx, entries, origin);
  const reinvited = new Set(waiting.map(({ emailKey }) => emailKey));
  return { kind: 'done', reinvited, changedSessionIds: changed };
}

/** The accounts with these emails that have a pending invitation to the content, and wait for their guest. */
async function lockWaiting(
  tx: Transaction,
  contentDefinitionId: string,
  emailKeys: readonly string[],
): Promise<KeyedAccount[]> {
  const accountIds = await contentAccess.findByAccessEmails(tx, contentDefinitionId, emailKeys);
  const locked = await guestAccounts.lockMany(tx, accountIds);
  const ids = locked.map(({ id }) => id);
  const pending = new Set(await invitations.findPending(tx, contentDefinitionId, ids));
  const holdersOfAny = new Set(await contentAccess.findHoldersOfAny(tx, ids));
  return locked.filter(
    (account) =>
      // If an account has changed its email since, its old email must not reveal it.
      emailKeys.includes(account.emailKey) &&
      pending.has(account.id) &&
      isWaitingForGuest(account, holdersOfAny.has(account.id)),
  );
}
