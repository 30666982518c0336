import {
  accounts,
  accountErasure,
  guestAccounts,
  inTransaction,
  outbox,
  type Account,
  type Transaction,
} from '@gatehouse/db';
import { newEvent, newMailEvent, type AnyEvent } from '@gatehouse/events';
import { withinSeconds } from '@gatehouse/runtime';
import { SessionStatus } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import type { NoticeDeps, Origin, SessionDeps } from '../deps.ts';
import { recipientOf, sourceOf, receivesMail } from '../checks/mailing.ts';
import { endSessions, publishSessions } from '../session/sessions.ts';

export type ErasingDeps = SessionDeps & NoticeDeps;

/** How many rows of a very large account one transaction erases. */
const PART_ROWS = 2000;

/**
 * Erases accounts that are due in one transaction, skipping those that another process has locked. Returns the erased
 * accounts. `seconds`: how long each may take, if longer than usual.
 */
export async function eraseBatch(
  deps: ErasingDeps,
  accountIds: readonly string[],
  seconds?: number,
): Promise<string[]> {
  const origin = originWithin(10 + (seconds ?? 0));
  const done = await inTransaction(deps.db, origin, async (tx) => {
    const { ready, ended } = await makeReady(deps, tx, accountIds, origin);
    const erased: string[] = [];
    for (const { id, account } of ready) {
      if (!(await accountErasure.erase(tx, id, seconds))) continue;
      await outbox.add(tx, [erasedEvent(deps, id, account, origin)]);
      erased.push(id);
    }
    return { erased, ended };
  });
  await publishSessions(deps, done.ended);
  return done.erased;
}

/**
 * Erases a part of an account that is due, within this number of seconds; the rest is left for further parts and for
 * `eraseBatch`. Returns how many rows there were; `undefined` if another process has locked the account, or it is
 * not ready.
 */
export async function erasePart(
  deps: ErasingDeps,
  accountId: string,
  seconds: number,
): Promise<number | undefined> {
  const origin = originWithin(10 + seconds);
  const done = await inTransaction(deps.db, origin, async (tx) => {
    const { ready, ended } = await makeReady(deps, tx, [accountId], origin);
    const part = { rowsMax: PART_ROWS, seconds };
    const count = ready.length === 0 ? undefined : await accountErasure.erasePart(tx, accountId, part);
    return { count, ended };
  });
  await publishSessions(deps, done.ended);
  return done.count;
}

function originWithin(seconds: number): Origin {
  return { ...withinSeconds(seconds), traceId: newId().replaceAll('-', '') };
}

interface Ready {
  id: string;
  /** `undefined` if the account no longer exists and only its traces are left. */
  account: Account | undefined;
}

/** Locks the accounts that nobody else has locked, and ends their sessions: an administrator may have revived one. */
async function makeReady(
  deps: ErasingDeps,
  tx: Transaction,
  accountIds: readonly string[],
  origin: Origin,
): Promise<{ ready: Ready[]; ended: string[] }> {
  const locked = await guestAccounts.lockAvailable(tx, accountIds);
  const ended = await endSessions(
    deps,
    tx,
    { kind: 'accounts', accountIds: locked.map(({ id }) => id) },
    { status: SessionStatus.Deactivated, reason: 'account_erased', changedBy: undefined },
    origin,
  );
  const ready: Ready[] = [];
  for (const id of accountIds) {
    const account = locked.find((one) => one.id === id);
    if (account !== undefined || (await accounts.findById(tx, id)) === undefined) ready.push({ id, account });
  }
  return { ready, ended };
}

/** The event of an erasure. An unverified address gets no mail, because it may belong to somebody else. */
function erasedEvent(
  deps: NoticeDeps,
  accountId: string,
  account: Account | undefined,
  { traceId }: Origin,
): AnyEvent {
  const data = { UserId: accountId };
  if (account === undefined || !account.isEmailVerified || !receivesMail(account, 'own'))
    return newEvent('account.erased', data, { traceId });
  const content = { ...recipientOf(account), ...sourceOf({ traceId }) };
  return newMailEvent(deps.seal, 'account.erased', data, content, { traceId });
}
