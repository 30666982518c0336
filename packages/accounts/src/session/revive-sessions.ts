import { SessionStatus } from '@gatehouse/schema';
import { sessionSlots, type Account, type LockedSession, type Transaction } from '@gatehouse/db';
import type { AccountsDeps } from '../deps.ts';
import type { SessionChange } from './admin/session-change.ts';
import { isExclusive } from './is-exclusive.ts';
import { endSessions } from './sessions.ts';
import { setSessionStatus } from './admin/set-session-status.ts';
import { makeRoom, sessionsOf } from './slots/find-slot.ts';
import { countedTag, limitOf } from './slots/session-slots.ts';

type Deps = Pick<AccountsDeps, 'settings' | 'slots' | 'activity'>;

/**
 * Which ended sessions become active again, and their owners; `revived` contains at most one session of each account
 * whose sessions take slots.
 */
export interface Revival {
  revived: readonly LockedSession[];
  owners: readonly Account[];
}

/**
 * Makes ended sessions active again; returns all sessions that this changed. Each takes a slot of its tag, and the
 * sessions that must make room for it become `SessionReplaced`. The locks on the accounts serialise this with logins and
 * other revivals, so that whichever comes last remains.
 */
export async function reviveSessions(
  deps: Deps,
  tx: Transaction,
  revival: Revival,
  change: SessionChange,
): Promise<string[]> {
  const changedBy = change.actor.kind === 'Account' ? change.actor.id : undefined;
  const replacement = { status: SessionStatus.SessionReplaced, reason: 'replaced', changedBy } as const;
  const { slots, sessionIds: ending } = await makeRoomFor(deps, tx, revival);
  const target = { kind: 'sessions', sessionIds: ending } as const;
  const replaced = ending.length === 0 ? [] : await endSessions(deps, tx, target, replacement, change.origin);
  for (const takesSlot of [true, false]) {
    const part = revival.revived.filter(({ id }) => slots.has(id) === takesSlot);
    await setSessionStatus(deps, tx, part, change, { isExclusive: takesSlot, slots });
  }
  return [...revival.revived.map(({ id }) => id), ...replaced];
}

/** The slot of each session that takes one, by its id, and the sessions that end for them. */
async function makeRoomFor(
  deps: Deps,
  tx: Transaction,
  { revived, owners }: Revival,
): Promise<{ slots: Map<string, number>; sessionIds: string[] }> {
  const exclusive = owners.filter((owner) => isExclusive(deps.settings, owner));
  const byId = new Map(exclusive.map((owner) => [owner.id, owner]));
  const held = byOwner(await sessionSlots.findHeld(tx, [...byId.keys()]));
  const slots = new Map<string, number>();
  const sessionIds: string[] = [];
  for (const { id, accountId, tag } of revived) {
    const owner = byId.get(accountId);
    if (owner === undefined) continue;
    const counted = countedTag(deps.slots, tag);
    const others = (held.get(accountId) ?? []).filter(({ sessionId }) => sessionId !== id);
    const room = makeRoom(sessionsOf(deps, others, counted), limitOf(deps.slots, owner, counted), tag);
    slots.set(id, room.slot);
    sessionIds.push(...room.sessionIds);
  }
  return { slots, sessionIds };
}

function byOwner<Owned extends { accountId: string }>(sessions: readonly Owned[]): Map<string, Owned[]> {
  const grouped = new Map<string, Owned[]>();
  for (const session of sessions) {
    const own = grouped.get(session.accountId);
    if (own === undefined) grouped.set(session.accountId, [session]);
    else own.push(session);
  }
  return grouped;
}
