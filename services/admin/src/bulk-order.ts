import { actorOf, UNPROVEN_MAX, write } from '@gatehouse/accounts';
import type { BulkOrder, Reading, WriteTransaction } from '@gatehouse/accounts';
import { accountAdmin, type AuditTargetKind, type ManagedAccount, type Transaction } from '@gatehouse/db';
import { confirmationRequired, type Input, type Refuse } from '@gatehouse/http';
import { Optional } from '@gatehouse/schema';
import type { Caller } from '@gatehouse/auth-core';
import type { Deps } from './deps.ts';
import { unknownAccount } from './account-answer.ts';

export function dryRun() {
  return Optional.Boolean({ description: 'Return what the change would return, without making it' });
}

export interface Order extends BulkOrder {
  refuse: Refuse<'conflict' | 'confirmation_required'>;
}

export async function orderOf({ body, caller, request, isConfirmed, refuse }: Asked): Promise<Order> {
  const isUnproven = !(await isConfirmed());
  const isTrial = body.DryRun === true;
  return { actor: actorOf(caller), origin: request, reason: body.Reason, isTrial, isUnproven, refuse };
}

type Call = Pick<
  Input<Deps, 'bearer', undefined, undefined, undefined>,
  'deps' | 'caller' | 'request' | 'isConfirmed'
>;
type Asked = Call & { body: { DryRun?: boolean; Reason?: string }; refuse: Order['refuse'] };

interface Extent {
  count: number;
  isSensitive: boolean;
}

/**
 * Changes many rows, or none. The change is planned first, from what it reads, and then made. A dry run only plans: it
 * reads without locks, so that nobody waits for it, and writes nothing. A real change plans in its transaction, with the
 * rows locked, so that the plan still holds while it is made.
 *
 * @throws {ApiError} 403 without a fresh proof of the administrator's identity, if the change is sensitive or, by a person,
 * of many rows.
 */
export async function changeMany<P, D>(
  deps: Pick<Deps, 'db' | 'sessionCache' | 'relay' | 'settings' | 'activity'>,
  order: Order,
  kind: AuditTargetKind,
  change: {
    plan: (at: Reading) => Promise<P>;
    /** How many rows it changes, and whether it requires a proof however few they are. */
    extent: (plan: P, tx: Transaction) => Extent | Promise<Extent>;
    make: (tx: WriteTransaction, plan: P) => Promise<D>;
  },
): Promise<{ plan: P; made: D | undefined }> {
  const { actor, origin, isTrial, refuse } = order;
  const trial = { executor: deps.db, tx: undefined, locks: false } as const;
  if (isTrial) return { plan: await change.plan(trial), made: undefined };
  return write(deps, { actor, origin, target: { kind, id: undefined } }, async (tx) => {
    const plan = await change.plan({ executor: tx, tx, locks: true });
    const { count, isSensitive } = await change.extent(plan, tx);
    const isLarge = count > UNPROVEN_MAX && actor.kind !== 'ApiToken';
    if (order.isUnproven && (isLarge || isSensitive)) throw confirmationRequired(refuse);
    return { plan, made: await change.make(tx, plan) };
  });
}

type AskedOfAccount = Call & {
  params: { id: string };
  refuse: Refuse<'not_found' | 'confirmation_required'>;
};

/** Changes a locked account for an administrator, with a fresh proof of identity if it `isSensitive`. */
export async function changeLockedAccount<T>(
  { deps, params: { id }, caller, request, isConfirmed, refuse }: AskedOfAccount,
  change: (tx: WriteTransaction, account: ManagedAccount) => Promise<T>,
  isSensitive = ({ role }: ManagedAccount) => role === 'Admin',
): Promise<T> {
  request.addToLog({ targetId: id });
  const isUnproven = !(await isConfirmed());
  const author = { actor: actorOf(caller), origin: request, target: { kind: 'Account', id } } as const;
  return write(deps, author, async (tx) => {
    const account = await accountAdmin.lock(tx, id);
    if (account === undefined) throw unknownAccount(refuse);
    if (isUnproven && isSensitive(account)) throw confirmationRequired(refuse);
    return change(tx, account);
  });
}

export const OWN_SECOND_FACTOR = 'Remove your own second factor on the account pages';

/** Administrators change their own email and second factors as every owner does, with the proof that this requires. */
export function refuseOwnAccount(refuse: Refuse<'own_account'>, caller: Caller, id: string, detail: string) {
  if (caller.kind === 'session' && caller.accountId === id) throw refuse('own_account', detail);
}
