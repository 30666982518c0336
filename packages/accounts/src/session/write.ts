import { audit, inTransaction, outbox } from '@gatehouse/db';
import type { Actor, AuditAction, AuditEntry, Transaction, userSessions } from '@gatehouse/db';
import type { AnyEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import type { EndReason } from '@gatehouse/schema';
import { inBatches } from '../bulk-change.ts';
import type { Origin, SessionDeps } from '../deps.ts';
import { endSessions, publishSessions, statusAfter } from './open-and-end.ts';

/** Who makes a change, and what it is about unless an audit entry says otherwise. */
export interface Author {
  actor: Actor;
  /** The request; without one, for the service's own work, there is no deadline. */
  origin?: Origin;
  target?: AuditEntry['target'] | undefined;
}

export function asOwner(accountId: string, origin: Origin): Author {
  const account = { kind: 'Account', id: accountId } as const;
  return { actor: account, origin, target: account };
}

/** A transaction that collects what is said about its change. */
export interface WriteTransaction extends Transaction {
  /** Adds an entry to the audit; an id stands for another target of the same kind. */
  audit(action: AuditAction, details?: Record<string, unknown>, target?: string | AuditEntry['target']): void;
  /** Publishes events, which may be mails. */
  event(...events: readonly AnyEvent[]): void;
  /**
   * Ends sessions, with what their accounts have begun (`endSessions`), by the actor unless `by` names somebody else;
   * returns the ids of those that were active.
   */
  endSessions(
    target: userSessions.Target,
    reason: EndReason,
    by?: { changedBy: string | undefined },
  ): Promise<string[]>;
  /** Says that sessions have changed, so that every service reads them again. */
  changesSessions(ids: readonly string[]): void;
  /** Does something as the last of the transaction, because many others wait for it from then on. */
  atEnd(work: () => Promise<unknown>): void;
}

/**
 * Makes a change in one transaction, with its audit entries and events: all are committed, or nothing. After the commit,
 * events leave for the broker, and changes of sessions take effect on every service.
 *
 * An error that `change` throws, such as a refusal, rolls back everything; so does a result that it passes to `rollBack`.
 */
export async function write<T>(
  deps: SessionDeps,
  { actor, origin, target: own }: Author,
  change: (tx: WriteTransaction, rollBack: (outcome: T) => never) => Promise<T>,
): Promise<T> {
  const sessionIds: string[] = [];
  const result = await inTransaction<T>(deps.db, origin ?? NO_DEADLINE, async (plain, rollBack) => {
    const entries: AuditEntry[] = [];
    const events: AnyEvent[] = [];
    const last: (() => Promise<unknown>)[] = [];
    audit.setAuthor(plain, { actor, origin });
    const tx = Object.assign(plain, {
      audit: (action, details, given = own) => {
        const target = typeof given === 'string' ? own && { ...own, id: given } : given;
        if (target?.id === undefined) throw new Error(`the audit entry ${action} has no target`);
        entries.push({ action, actor, target, details });
      },
      event: (...added) => void events.push(...added),
      endSessions: async (which, reason, by) => {
        const changedBy = actor.kind === 'Account' ? actor.id : undefined;
        const ending = { status: statusAfter(reason), reason, changedBy, ...by };
        const ended = await endSessions(deps, plain, which, ending, origin);
        sessionIds.push(...ended);
        return ended;
      },
      changesSessions: (ids) => void sessionIds.push(...ids),
      atEnd: (work) => void last.push(work),
    } satisfies Omit<WriteTransaction, keyof Transaction>);
    const changed = await change(tx, rollBack);
    await inBatches(events, (part) => outbox.add(tx, part));
    await inBatches(entries, (part) => audit.append(tx, part, origin));
    for (const work of last) await work();
    return changed;
  });
  await publishSessions(deps, sessionIds);
  return result;
}
