import { isActive, type SessionStatus } from '@gatehouse/schema';
import {
  audit,
  begunLogins,
  outbox,
  sessionStatus,
  type LockedSession,
  type Transaction,
} from '@gatehouse/db';
import { newEvent, type AnyEvent } from '@gatehouse/events';
import { inBatches } from '../../bulk-change.ts';
import type { AccountsDeps, Origin } from '../../deps.ts';
import { countOnCommit } from '../../checks/count-on-commit.ts';
import { tagFact } from '../slots/tag-fact.ts';
import type { SessionChange } from './session-change.ts';

/**
 * The reason of an end, and the default reason in the history. The end's reason is never the administrator's own text:
 * `logout`, for example, would be read as the owner's logout.
 */
const ADMINISTRATOR = 'administrator';

/**
 * Sets the status of sessions that the transaction has locked, and their accounts if they end, with its history, events and
 * audit. Ends also make begun logins invalid, as every end by somebody does.
 */
export async function setSessionStatus(
  deps: Pick<AccountsDeps, 'settings' | 'activity'>,
  tx: Transaction,
  sessions: readonly LockedSession[],
  change: SessionChange,
  revived?: { isExclusive: boolean; slots: ReadonlyMap<string, number> },
): Promise<void> {
  const { status, actor, origin, reason = ADMINISTRATOR } = change;
  const changedBy = actor.kind === 'Account' ? actor.id : undefined;
  const options = {
    tokenSeconds: deps.settings.ACCESS_TOKEN_SECONDS,
    ends: isActive(status) ? undefined : ADMINISTRATOR,
  };
  if (!isActive(status)) {
    const ended = sessions.filter(({ isEnded }) => !isEnded);
    countOnCommit(deps, tx, `session.${ADMINISTRATOR}`, ended.length);
  }
  await inBatches(sessions, async (part) => {
    const ids = part.map(({ id }) => id);
    const places = revived && { ...revived, slots: ids.map((id) => revived.slots.get(id) ?? 0) };
    if (!isActive(status))
      await begunLogins.deleteOf(
        tx,
        part.map(({ accountId }) => accountId),
      );
    await sessionStatus.set(tx, ids, { status, reason, changedBy }, { ...options, revived: places });
    await outbox.add(
      tx,
      part.map((session) => eventOf(session, { status, reason, changedBy }, origin)),
    );
    const why = change.reason !== undefined && { Reason: reason };
    const entries = part.map(({ id, accountId, tag }) => ({
      action: 'user-session.changed' as const,
      actor,
      target: { kind: 'UserSession' as const, id },
      details: { UserId: accountId, Status: status, ...why, ...tagFact(tag) },
    }));
    await audit.append(tx, entries, origin);
  });
}

function eventOf(
  session: LockedSession,
  { status, reason, changedBy }: { status: SessionStatus; reason: string; changedBy: string | undefined },
  origin: Origin,
): AnyEvent {
  const own = { SessionId: session.id, UserId: session.accountId };
  const eventData = { ...own, Status: status, Reason: reason, ...tagFact(session.tag) };
  const isEndedNow = !session.isEnded && !isActive(status);
  if (isEndedNow) return newEvent('session.ended', eventData, origin);
  return newEvent(
    'session.status-changed',
    { ...eventData, ...(changedBy !== undefined && { ChangedBy: changedBy }) },
    origin,
  );
}
