import {
  accountAdmin,
  accountBulk,
  accountSearch,
  audit,
  inTransaction,
  type ManagedAccount,
  type Transaction,
} from '@gatehouse/db';
import type { Throttled } from '../../checks/attempts.ts';
import { changeInBulk, unproven, type BulkOrder } from '../../bulk-change.ts';
import { mailCodeForAdministrator, usedUp } from '../../checks/mailing.ts';
import type { MailDeps, Origin, SessionDeps } from '../../deps.ts';
import type { AccountChangeResult } from './administer-account.ts';
import { insertAccount, type AccountToCreate, type By } from './create-account.ts';
import { accountFilterOf, type AccountQuery } from './find-accounts.ts';

type Deps = SessionDeps & MailDeps;

/** An administrator who makes a request. */
type Inviter = By & { origin: Origin };

/** Creates an account without a password, and mails its owner a link that completes it; otherwise like `createAccount`. */
export async function createInvitedAccount(
  deps: Deps,
  given: Omit<AccountToCreate, 'password' | 'isService'>,
  by: Inviter,
): Promise<string | undefined> {
  const id = await inTransaction(deps.db, by.origin, async (tx) => {
    const created = await insertAccount(tx, { ...given, passwordHash: undefined }, by);
    const account = created === undefined ? undefined : await accountAdmin.lock(tx, created);
    if (account !== undefined) await mailInvitation(deps, tx, account, by);
    return created;
  });
  deps.relay.wake();
  return id;
}

/** Mails the owner of an account that waits for them (login status 5 or 6) a link that completes it. */
export async function inviteAccount(
  deps: Deps,
  accountId: string,
  by: Inviter,
): Promise<AccountChangeResult | Throttled> {
  const outcome = await inTransaction(
    deps.db,
    by.origin,
    async (tx): Promise<AccountChangeResult | Throttled> => {
      const account = await accountAdmin.lock(tx, accountId);
      if (account === undefined) return { kind: 'unknown' };
      if (account.role === 'Admin' && by.isUnproven === true) return { kind: 'unproven' };
      if (!isInvitable(account)) return NOT_WAITING;
      return (await mailInvitation(deps, tx, account, by)) ?? { kind: 'changed', account };
    },
  );
  deps.relay.wake();
  return outcome;
}

const NOT_WAITING = { kind: 'conflict', reason: 'The account is not waiting for its owner' } as const;

/** Mails the link and records it; the account is locked. Returns the wait if the hourly limit of such mails is reached. */
async function mailInvitation(
  deps: MailDeps,
  tx: Transaction,
  account: ManagedAccount,
  { actor, origin }: Pick<Inviter, 'actor' | 'origin'>,
): Promise<Throttled | undefined> {
  const throttled = await mailCodeForAdministrator(deps, tx, account, 'complete', origin);
  if (throttled !== undefined) return throttled;
  const target = { kind: 'Account', id: account.id } as const;
  await audit.append(tx, [{ action: 'account.invited', actor, target }], origin);
  return undefined;
}

/** Whether the account waits for its owner, and could be used once they have chosen a password. */
function isInvitable(account: ManagedAccount): boolean {
  const isWaiting = account.signup === 'new' || account.signup === 'migration';
  return isWaiting && !account.isDisabled && !account.isExpired;
}

/**
 * `invited`: the accounts that were mailed, newest first. `skipped`: how many matching accounts wait for nobody, or have
 * reached the hourly limit of such mails. All other outcomes mailed nobody.
 */
export type InvitedAccounts =
  { kind: 'invited'; accounts: ManagedAccount[]; count: number; skipped: number } | Refusal;

type Refusal = { kind: 'too_many' } | { kind: 'unproven' };

/** The maximum per call, so that it finishes within a request's time. */
export const ACCOUNTS_INVITED_MAX = 1000;

/** Like `inviteAccount`, for all matching accounts. */
export async function inviteAccounts(
  deps: Deps,
  asked: AccountQuery,
  order: BulkOrder,
): Promise<InvitedAccounts> {
  const filter = await accountFilterOf(deps, asked);
  const ids = await accountSearch.findAny(deps.db, filter, ACCOUNTS_INVITED_MAX + 1);
  if (ids.length > ACCOUNTS_INVITED_MAX) return { kind: 'too_many' };
  const outcome = await changeInBulk<Plan, Plan, Refusal>(deps, order, {
    plan: async (at) => {
      const matching = await accountBulk.findMatching(at.executor, ids, filter, at);
      const waiting = matching.filter(isInvitable);
      const full = await usedUp(
        deps,
        at.executor,
        waiting.map(({ id }) => id),
        'complete',
      );
      const accounts = waiting.filter(({ id }) => !full.has(id));
      return { kind: 'planned', accounts, skipped: matching.length - accounts.length };
    },
    refuse: ({ accounts }) =>
      unproven(
        order,
        accounts.length,
        accounts.some(({ role }) => role === 'Admin'),
      ),
    carryOut: async (tx, plan) => {
      for (const account of plan.accounts) await mailInvitation(deps, tx, account, order);
      return plan;
    },
  });
  if (outcome.kind !== 'planned') return outcome;
  deps.relay.wake();
  const { accounts, skipped } = outcome;
  return { kind: 'invited', accounts, count: accounts.length, skipped };
}

interface Plan {
  kind: 'planned';
  accounts: ManagedAccount[];
  skipped: number;
}
