import {
  applyAccountChanges,
  canRemoveAdministrators,
  CHANGED_MAX,
  needsProof,
  planAccountChanges,
  SHOWN_MAX,
  UNPROVEN_MAX,
  usedUp,
  type AccountsDeps,
} from '@gatehouse/accounts';
import { accountSearch, administrators } from '@gatehouse/db';
import type { AccountChange, AccountFilter, ManagedAccount } from '@gatehouse/db';
import { Nullable, Optional, Text, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { accountAnswer, AccountAnswer, NEEDS_PROOF } from '../account-answer.ts';
import { changeMany, dryRun, orderOf, type Order } from '../bulk-order.ts';
import { routeOf } from '../deps.ts';
import { accountBulkFilters, conditionsFor } from './account.ts';
import { BAN_FIELDS, readBan, readExpiry } from './change.ts';
import { isInvitable, mailInvitation } from './owner.ts';

const route = routeOf({ tag: 'Accounts', access: ['Admin'] });

const Change = Type.Object(
  {
    ...BAN_FIELDS,
    ExpiresAt: Type.Optional(Nullable(Timestamp(), { description: 'null means never' })),
    TwoFactorRequired: Optional.Boolean(),
    NewPasswordRequired: Optional.Boolean(),
  },
  { title: 'AccountChange', minProperties: 1, description: 'As for updating an account' },
);

const BulkAnswer = Type.Object({
  Items: Type.Array(AccountAnswer),
  Count: Type.Integer({ minimum: 0 }),
  Skipped: Type.Integer({ minimum: 0 }),
  Ids: Type.Array(Uuid(), { description: 'IDs of the changed accounts, newest first' }),
});

export const updateAccounts = route('POST /admin/account/bulk', {
  operationId: 'updateAccounts',
  summary: 'Update all accounts that match a filter',
  description:
    'Either all matching accounts are changed or none; accounts that are already in the requested state ' +
    `are counted in \`Skipped\`. \`Items\` contains the newest ${SHOWN_MAX} changed accounts after the ` +
    'change, `Count` their number and `Ids` all of their IDs. Returns 409 if more than ' +
    `${CHANGED_MAX} accounts match, or if no administrator would remain.`,
  recent: {
    when: `the change applies to more than ${UNPROVEN_MAX} accounts, or to one that ${NEEDS_PROOF}`,
  },
  body: Type.Object({
    Filter: accountBulkFilters.body,
    Change,
    Reason: Type.Optional(Text(200, { description: 'Recorded in the audit, and as why they are disabled' })),
    DryRun: dryRun(),
  }),
  response: BulkAnswer,
  errors: ['conflict', 'confirmation_required'],
  handler: async (input) => {
    const { body, deps, request } = input;
    const filter = accountBulkFilters.ofBody(body.Filter);
    const change = {
      ...readBan(body.Change, { reason: body.Reason, at: '/Change', now: deps.now() }),
      expiresAt: readExpiry(body.Change.ExpiresAt, '/Change/ExpiresAt'),
      isTwoFactorRequired: body.Change.TwoFactorRequired,
      isNewPasswordRequired: body.Change.NewPasswordRequired,
    };
    const order = await orderOf(input);
    const changed = await changeAccounts(deps, await conditionsFor(deps.db, filter), change, order);
    request.addToLog({ changed: order.isTrial ? 0 : changed.Count });
    return changed;
  },
});

/**
 * Changes all matching accounts, or none, each with its audit entry and events. Accounts that no longer match once they
 * are locked are left out, and so are those in a state that does not allow the change.
 */
async function changeAccounts(
  deps: AccountsDeps,
  filter: AccountFilter,
  change: AccountChange,
  order: Order,
) {
  const ids = await findAtMost(deps, filter, CHANGED_MAX, order);
  const { plan } = await changeMany(deps, order, 'Account', {
    plan: async (at) => {
      if (at.tx && canRemoveAdministrators(change)) await administrators.lockRights(at.tx);
      const matching = await accountSearch.findMatching(at.executor, ids, filter, at);
      const planned = await planAccountChanges(at.executor, matching, change);
      if (planned.kind === 'last_administrator')
        throw order.refuse(
          'conflict',
          'At least one enabled administrator account without an expiry date must remain; nothing was changed',
        );
      return planned;
    },
    extent: ({ changes }) => ({ count: changes.length, isSensitive: changes.some(needsProof) }),
    make: (tx, planned) => applyAccountChanges(tx, planned, change, order),
  });
  const changed = plan.changes.map(({ after }) => after);
  return bulkAnswer(changed, plan.matching.length);
}

async function findAtMost({ db }: AccountsDeps, filter: AccountFilter, max: number, { refuse }: Order) {
  const ids = await accountSearch.findAny(db, filter, max + 1);
  if (ids.length > max) throw refuse('conflict', `More than ${max} accounts match; nothing was changed`);
  return ids;
}

function bulkAnswer(changed: readonly ManagedAccount[], matching: number) {
  return {
    Items: changed.slice(0, SHOWN_MAX).map(accountAnswer),
    Count: changed.length,
    Skipped: matching - changed.length,
    Ids: changed.map(({ id }) => id),
  };
}

/** The maximum per call, so that it finishes within a request's time. */
const INVITED_MAX = 1000;

export const inviteAccounts = route('POST /admin/account/bulk/invite', {
  operationId: 'inviteAccounts',
  summary: 'Send all matching owners a link that completes their account',
  description:
    'As `POST /admin/account/{id}/invite` for each account that waits for its owner. Other accounts, and those ' +
    'beyond their hourly limit of such emails, are counted in `Skipped`. Returns 409 if more than ' +
    `${INVITED_MAX} accounts match.`,
  recent: { when: `more than ${UNPROVEN_MAX} owners are mailed, or one is an administrator` },
  body: Type.Object({ Filter: accountBulkFilters.body, DryRun: dryRun() }),
  response: BulkAnswer,
  errors: ['conflict', 'confirmation_required'],
  handler: async (input) => {
    const { body, deps, request } = input;
    const filter = await conditionsFor(deps.db, accountBulkFilters.ofBody(body.Filter));
    const order = await orderOf(input);
    const ids = await findAtMost(deps, filter, INVITED_MAX, order);
    const { plan } = await changeMany(deps, order, 'Account', {
      plan: async (at) => {
        const matching = await accountSearch.findMatching(at.executor, ids, filter, at);
        const waiting = matching.filter(isInvitable);
        const waitingIds = waiting.map(({ id }) => id);
        const full = await usedUp(deps, at.executor, waitingIds, 'complete');
        return { matching, invited: waiting.filter(({ id }) => !full.has(id)) };
      },
      extent: ({ invited }) => {
        return { count: invited.length, isSensitive: invited.some(({ role }) => role === 'Admin') };
      },
      make: async (tx, { invited }) => {
        for (const account of invited) await mailInvitation(deps, tx, account, request);
      },
    });
    request.addToLog({ changed: order.isTrial ? 0 : plan.invited.length });
    return bulkAnswer(plan.invited, plan.matching.length);
  },
});
