import {
  CHANGED_MAX,
  conditionOf,
  deleteInvitations,
  isExclusive,
  LINK_SECONDS,
  planRemails,
  remailInvitations,
  SHOWN_MAX,
  tryToRemoveRetiredGuests,
  UNPROVEN_MAX,
} from '@gatehouse/accounts';
import type { AccountsDeps, Reading, WriteTransaction } from '@gatehouse/accounts';
import { begunLogins, clientSessions, guestAccounts, invitations, userSessions } from '@gatehouse/db';
import type { Account, DeletedInvitation, KeyedAccount } from '@gatehouse/db';
import { exactlyOneOf, type Refuse } from '@gatehouse/http';
import { isActive, OneOf, SessionStatus, Text, Type, Uuid, type Static } from '@gatehouse/schema';
import { changeMany, dryRun, orderOf, type Order } from '../bulk-order.ts';
import { route } from '../deps.ts';
import { Session, sessionFilters, type SessionFilter } from './session-record.ts';
import { conditionsFor, fits, freshFrom, withCurrentState } from './session.ts';
import { findToChange, includesAdministrator, revive, setStatus } from './set-status.ts';
import type { LockedSession, Which } from './set-status.ts';
import { findByIds, findCandidates } from './store.ts';

const Body = Type.Object(
  {
    SessionId: Type.Optional(Uuid()),
    SessionIds: Type.Optional(Type.Array(Uuid(), { minItems: 1, maxItems: 1000 })),
    UserId: Type.Optional(Uuid()),
    Filter: Type.Optional(sessionFilters.body),
    Status: OneOf(SessionStatus),
    Reason: Type.Optional(Text(200, { description: 'Recorded in the session history' })),
    DryRun: dryRun(),
  },
  {
    oneOfFields: {
      OfSession: ['SessionId'],
      OfSessions: ['SessionIds'],
      OfUser: ['UserId'],
      OfFilter: ['Filter'],
    },
  },
);

export const changeSessionStatus = route('POST /admin/user-session', {
  operationId: 'changeSessionStatus',
  tag: 'Sessions',
  summary: 'Change the status of sessions or of a guest’s invitations',
  description:
    'Send exactly one of `SessionId`, `SessionIds`, `UserId` and `Filter`: all matching sessions are ' +
    `changed or none, at most ${CHANGED_MAX}. Statuses 1, 2 and 5 are active; 3, 4, 7 and 8 end a ` +
    'session; 6 and 8 apply to the invitations of a guest who has not registered yet. `Items` contains ' +
    `the newest ${SHOWN_MAX} of them after the change, \`Count\` the total, \`UserCount\` the number of their ` +
    'users and `Ids` all of their IDs.',
  recent: {
    when: `it applies to more than ${UNPROVEN_MAX} sessions, to one of an administrator, or makes an ended one active again`,
  },
  body: Body,
  response: Type.Object({
    Items: Type.Array(Session.Answer),
    Count: Type.Integer({ minimum: 0 }),
    UserCount: Type.Integer({ minimum: 0 }),
    Ids: Type.Array(Uuid(), { description: 'Newest first' }),
  }),
  errors: ['not_found', 'conflict', 'too_many_requests', 'confirmation_required'],
  handler: async (input) => {
    const { body, deps, request, refuse } = input;
    const target = targetOf(body);
    const order = { ...(await orderOf(input)), refuse, status: body.Status };
    const changed = await changeSessions(deps, target, order);
    request.addToLog({ changed: order.isTrial ? 0 : changed.Count });
    return changed;
  },
});

type ChangeTarget =
  | { kind: 'session'; sessionId: string }
  | { kind: 'named'; sessionIds: readonly string[] }
  | { kind: 'account'; accountId: string }
  | { kind: 'filter'; filter: SessionFilter };

/** The sessions to change: a mistyped or missing filter must never mean all of them. */
function targetOf({ SessionId, SessionIds, UserId, Filter: filter }: Static<typeof Body>): ChangeTarget {
  const given = [SessionId, SessionIds, UserId, filter].filter((one) => one !== undefined);
  if (given.length !== 1) throw exactlyOneOf('SessionId', 'SessionIds', 'UserId', 'Filter');
  if (SessionId !== undefined) return { kind: 'session', sessionId: SessionId };
  if (SessionIds !== undefined) return { kind: 'named', sessionIds: SessionIds };
  if (UserId !== undefined) return { kind: 'account', accountId: UserId };
  return { kind: 'filter', filter: sessionFilters.ofBody(filter ?? {}) };
}

interface StatusOrder extends Order {
  status: SessionStatus;
  refuse: Refuse<'not_found' | 'conflict' | 'too_many_requests' | 'confirmation_required'>;
}

interface Effects {
  /** Sessions that get the status, and stay active, stay ended, or end. */
  set: readonly LockedSession[];
  /** Ended sessions that become active again; of an account whose sessions take slots, one at most. */
  revived: readonly LockedSession[];
  /** Invitations that are deleted (`DeletedInvite`) or restored (`PendingInvite`). */
  invitations: readonly (DeletedInvitation & { status: SessionStatus })[];
  make: (tx: WriteTransaction) => Promise<void>;
}

/**
 * Changes sessions for an administrator, all of them or none. An ended session becomes active again only if it is
 * selected by its id or by a filter for its status; it then counts as seen now and, if single sessions are enforced,
 * replaces all others of its account. An account, or any other filter, selects active sessions, or the invitations of a
 * pending guest. When this returns, the change is effective everywhere.
 */
export async function changeSessions(deps: AccountsDeps, target: ChangeTarget, order: StatusOrder) {
  const selected = await select(deps, target, order);
  const { plan, made } = await changeMany(deps, order, 'UserSession', {
    plan: (at) => effectsOf(deps, at, selected, order),
    extent: async ({ set: same, revived, invitations: ofGuest }, tx) => ({
      count: same.length + revived.length + ofGuest.length,
      isSensitive: revived.length > 0 || (order.isUnproven && (await includesAdministrator(tx, idsOf(same)))),
    }),
    make: async (tx, effects) => {
      await effects.make(tx);
      return findByIds(tx, idsOf([...effects.set, ...effects.revived]).slice(0, SHOWN_MAX));
    },
  });
  if (made !== undefined) await tryToRemoveRetiredGuests(deps);
  const rows = [...plan.set, ...plan.revived];
  const shown = made ?? (await asChanged(deps, plan, order));
  const Ids = [...idsOf(rows), ...idsOf(plan.invitations)];
  return {
    Items: [
      ...(await withCurrentState(deps, shown)).map(Session.answer),
      ...plan.invitations.slice(0, SHOWN_MAX).map(invitationItem),
    ],
    Count: Ids.length,
    UserCount: new Set([...rows, ...plan.invitations].map(({ accountId }) => accountId)).size,
    Ids,
  };
}

/** Newest first: identifiers are ordered by time. */
function idsOf(rows: readonly { id: string }[]): string[] {
  const ids = rows.map(({ id }) => id);
  return ids.toSorted().toReversed();
}

async function asChanged(deps: AccountsDeps, plan: Effects, { status }: StatusOrder): Promise<Session[]> {
  const now = new Date(deps.now());
  const revived = new Set(idsOf(plan.revived));
  const found = await findByIds(deps.db, idsOf([...plan.set, ...plan.revived]).slice(0, SHOWN_MAX));
  return found.map((session) => ({
    ...session,
    status,
    endedAt: isActive(status) ? null : (session.endedAt ?? now),
    lastSeenAt: revived.has(session.id) ? now : session.lastSeenAt,
  }));
}

function invitationItem(invitation: Effects['invitations'][number]): Static<typeof Session.Answer> {
  return Session.answer({
    ...invitation,
    userId: invitation.accountId,
    ...{ displayName: null, isGuest: true, isOnline: false, tag: null, deviceName: null, userAgent: null },
    ...{ ipAddress: null, ssoProvider: null, createdAt: invitation.invitedAt, lastSeenAt: null },
    endedAt: invitation.deletedAt,
  });
}

interface Selected {
  /** `undefined`: no such session. */
  which: Which | undefined;
  /** The accounts to lock before their sessions. */
  accountIds: readonly string[];
  of: ChangeTarget['kind'];
}

/** How many sessions are compared with their cached copies before a change. */
const CANDIDATES_MAX = 10_000;

/** Finds what a change is about; before the transaction, because a filter also reads cached sessions. */
async function select(deps: AccountsDeps, target: ChangeTarget, order: StatusOrder): Promise<Selected> {
  const { refuse, status } = order;
  const of = target.kind;
  if (target.kind === 'session') {
    const { sessionId } = target;
    const session = await Session.find(deps.db, sessionId);
    return { of, which: session && { sessionId }, accountIds: session ? [session.userId] : [] };
  }
  if (target.kind === 'account') {
    const { accountId } = target;
    return { of, which: { accountId, max: CHANGED_MAX + 1 }, accountIds: [accountId] };
  }
  if (status === SessionStatus.PendingInvite) throw refuse('conflict', NOT_INVITED);
  if (target.kind === 'named') {
    const which = { sessionIds: target.sessionIds, status: undefined, isEnded: false };
    return { of, which, accountIds: [] };
  }
  const { filter } = target;
  // Ended sessions if the filter has a status of ended sessions, otherwise active ones.
  const isEnded = filter.status !== undefined && !isActive(filter.status);
  const bounds = { isEnded, freshFromId: freshFrom(deps), max: CANDIDATES_MAX + 1 };
  const found = await findCandidates(deps.db, await conditionsFor(deps, filter), bounds);
  const needsLastSeen = [filter.isOnline, filter.contentDefinitionId, filter.lastSeenBefore].some(
    (one) => one !== undefined,
  );
  const matching =
    found.length <= CANDIDATES_MAX && needsLastSeen
      ? (await withCurrentState(deps, found)).filter((session) => fits(session, filter))
      : found;
  if (matching.length > CHANGED_MAX) throw refuse('conflict', TOO_MANY);
  const which = { sessionIds: matching.map(({ id }) => id), status: filter.status, isEnded };
  return { of, which, accountIds: isEnded ? [...new Set(matching.map(({ userId }) => userId))] : [] };
}

async function effectsOf(
  deps: AccountsDeps,
  at: Reading,
  { which, accountIds, of }: Selected,
  order: StatusOrder,
): Promise<Effects> {
  const { refuse, status } = order;
  const unknown = () => refuse('not_found', `${of === 'session' ? 'Session' : 'Account'} not found`);
  const endsMany = which !== undefined && 'sessionIds' in which && !which.isEnded && !isActive(status);
  if (at.tx && endsMany)
    await userSessions.lockOwners(at.tx, { kind: 'sessions', sessionIds: which.sessionIds });
  const owners = await guestAccounts.findMany(at.executor, accountIds, at);
  const [owner] = owners;
  if (which === undefined || (owner === undefined && (of === 'session' || of === 'account'))) throw unknown();
  if (of === 'account' && owner?.signup === 'invitation') {
    if (status === SessionStatus.PendingInvite) return restoration(deps, at, owner, order);
    if (status === SessionStatus.DeletedInvite) return deletion(at, owner, order);
  }
  const idleSeconds = deps.settings.SESSION_IDLE_SECONDS;
  const found = await findToChange(at.executor, which, { idleSeconds, locks: at.locks });
  if (of === 'session' && found.length === 0) throw unknown();
  if (status === SessionStatus.PendingInvite) throw refuse('conflict', NOT_INVITED);
  if (found.length > CHANGED_MAX) throw refuse('conflict', TOO_MANY);
  // Sessions that have expired are no longer active, whatever their rows say: they can be ended, but not changed.
  const isGone = ({ isEnded, hasRunOut }: LockedSession) => isActive(status) && (isEnded || hasRunOut);
  const [same, gone] = [found.filter((session) => !isGone(session)), found.filter(isGone)];
  const revives = of === 'session' || ('isEnded' in which && which.isEnded);
  const revived = revives ? revivable(deps, gone, owners) : [];
  const [reason] = of === 'session' ? gone.map((session) => obstacleTo(session, owner)) : [];
  if (reason !== undefined) throw refuse('conflict', reason);
  return {
    ...{ set: same, revived, invitations: [] },
    make: async (tx) => {
      await setStatus(deps, tx, same, order);
      if (of === 'account' && !isActive(status)) {
        // Also of an account without an active session.
        await begunLogins.deleteOf(tx, accountIds);
        await clientSessions.endOwn(tx, accountIds, 'administrator');
      }
      await revive(deps, tx, { revived, owners }, order);
    },
  };
}

function obstacleTo({ isTooOld, isRevoked }: LockedSession, owner: Account | undefined): string | undefined {
  if (isTooOld) return 'The absolute lifetime of the session is over; it cannot be reactivated';
  if (isRevoked)
    return 'The session is permanently revoked: what it was opened with no longer opens the account, or its refresh token was copied';
  const isOpen = owner !== undefined && conditionOf(owner) === undefined;
  return isOpen ? undefined : 'The account is disabled, expired or pending';
}

/** The sessions that may be active again; of accounts whose sessions take slots, only the newest. */
function revivable(
  { settings }: AccountsDeps,
  sessions: readonly LockedSession[],
  owners: readonly Account[],
): LockedSession[] {
  const byId = new Map(owners.map((owner) => [owner.id, owner]));
  const able = sessions.filter((session) => obstacleTo(session, byId.get(session.accountId)) === undefined);
  // The sessions are in the order of their ids, and so of their age.
  const newest = new Map(able.map(({ id, accountId }) => [accountId, id]));
  return able.filter(({ id, accountId }) => {
    const owner = byId.get(accountId);
    return owner !== undefined && (!isExclusive(settings, owner) || newest.get(accountId) === id);
  });
}

/** Deletes every pending invitation of a guest, who is then without content. */
async function deletion({ executor }: Reading, account: KeyedAccount, order: StatusOrder): Promise<Effects> {
  const pending = await invitations.findDeletable(executor, account.id);
  return {
    ...{ set: [], revived: [] },
    invitations: pending.map((one) => ({ ...one, status: SessionStatus.DeletedInvite })),
    make: (tx) => deleteInvitations(tx, pending, [account], order),
  };
}

/** More invitations than any guest has at a time. */
const RESTORED_MAX = 200;

/** Mails each deleted invitation again. If its inviter may no longer invite, it stays: its link would not work. */
async function restoration(
  deps: AccountsDeps,
  at: Reading,
  account: KeyedAccount,
  order: StatusOrder,
): Promise<Effects> {
  const { refuse } = order;
  const bounds = { lifetimeSeconds: LINK_SECONDS, max: RESTORED_MAX };
  const found = await invitations.findRestorable(at.executor, { accountId: account.id, ...bounds });
  const remails = await planRemails(deps, at, found, [account]);
  const refusals = remails.map(({ refusal }) => refusal);
  if (refusals.includes('share_used_up'))
    throw refuse('too_many_requests', 'Hourly limit of invitations to this email address reached', {
      retryAfterSeconds: 3600,
    });
  if (refusals.includes('shut')) throw refuse('conflict', 'The account is disabled, expired or pending');
  if (refusals.includes('not_waiting')) throw refuse('conflict', NOT_INVITED);
  const restored = remails.filter(({ refusal }) => refusal === undefined);
  if (found.length > 0 && restored.length === 0)
    throw refuse(
      'conflict',
      'The inviter is disabled or no longer exists; someone else must send a new invitation',
    );
  return {
    ...{ set: [], revived: [] },
    invitations: restored.map(({ invitation }) => ({ ...invitation, status: SessionStatus.PendingInvite })),
    make: (tx) => remailInvitations(deps, tx, remails, 'invitation.restored', order),
  };
}

const TOO_MANY = `More than ${CHANGED_MAX} sessions match; nothing was changed`;
const NOT_INVITED = 'Status 6 applies only to invitations of a guest who has not registered';
