import type { Actor, Executor, Transaction } from '@gatehouse/db';
import type { Origin } from './deps.ts';

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
