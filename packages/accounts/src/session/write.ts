import { audit, inTransaction, outbox } from '@gatehouse/db';
import type { Actor, AuditAction, AuditEntry, Executor, Transaction, userSessions } from '@gatehouse/db';
import type { AnyEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import type { EndReason } from '@gatehouse/schema';
import type { Caller } from '@gatehouse/auth-core';
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
  /** Ends sessions and what was begun (`endSessions`), by the actor unless `by` names another; returns those ended. */
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
 * Makes a change in one transaction with its audit entries and events. After the commit, events leave for the broker,
 * and changes of sessions take effect on every service. An error that `change` throws, such as a refusal, rolls
 * everything back; so does a result that it passes to `rollBack`.
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

/** The most rows that may be changed at once without a fresh proof of the administrator's identity. */
export const UNPROVEN_MAX = 50;
/** The most rows that a call may change, so that it finishes within a request's time. */
export const CHANGED_MAX = 5000;
/** How many of the changed rows are returned in full. */
export const SHOWN_MAX = 200;
/** How many rows one statement writes, which keeps it well within its time-out. */
const BATCH = 1000;

export interface BulkOrder {
  actor: Actor;
  origin: Origin;
  reason?: string | undefined;
  isTrial: boolean;
  /** Whether the administrator lacks a fresh proof of identity. */
  isUnproven: boolean;
}

/** How a plan reads: in the transaction of the change, with locks, or in a dry run, without. */
export interface Reading {
  executor: Executor;
  tx: Transaction | undefined;
  locks: boolean;
}

export async function inBatches<T>(rows: readonly T[], work: (part: readonly T[]) => Promise<void>) {
  for (let at = 0; at < rows.length; at += BATCH) await work(rows.slice(at, at + BATCH));
}

export function actorOf(caller: Caller): Exclude<Actor, { kind: 'System' }> {
  return caller.kind === 'session'
    ? { kind: 'Account', id: caller.accountId }
    : { kind: 'ApiToken', id: caller.tokenId };
}
