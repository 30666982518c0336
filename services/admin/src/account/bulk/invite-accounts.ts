import {
  ACCOUNTS_INVITED_MAX,
  inviteAccounts as inviteThem,
  SHOWN_MAX,
  UNPROVEN_MAX,
} from '@gatehouse/accounts';
import { confirmationRequired } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { changeInBulk, dryRun } from '../../bulk-order.ts';
import { route } from '../../deps.ts';
import { accountAnswer } from '../../account-answer.ts';
import { accountBulkFilters } from '../account-filters.ts';
import { BulkAnswer } from './change-accounts.ts';

export const inviteAccounts = route({
  method: 'post',
  path: '/admin/account/bulk/invite',
  operationId: 'inviteAccounts',
  tag: 'Accounts',
  summary: 'Send all matching owners a link that completes their account',
  description:
    'As `POST /admin/account/{id}/invite` for each account that waits for its owner. Other accounts, and those ' +
    'beyond their hourly limit of such emails, are counted in `Skipped`. Returns 409 if more than ' +
    `${ACCOUNTS_INVITED_MAX} accounts match.`,
  access: ['Admin'],
  recent: { when: `more than ${UNPROVEN_MAX} owners are mailed, or one is an administrator` },
  body: Type.Object({ Filter: accountBulkFilters.body, DryRun: dryRun() }),
  response: BulkAnswer,
  errors: ['conflict', 'confirmation_required'],
  handler: async ({ body, deps, refuse, ...asked }) => {
    const filter = accountBulkFilters.ofBody(body.Filter);
    const most = { max: ACCOUNTS_INVITED_MAX, things: 'accounts' };
    const outcome = await changeInBulk({ ...asked, body, refuse }, most, (order) =>
      inviteThem(deps, filter, order),
    );
    if (outcome.kind === 'unproven') throw confirmationRequired(refuse);
    const { accounts, count, skipped } = outcome;
    return {
      Items: accounts.slice(0, SHOWN_MAX).map(accountAnswer),
      Count: count,
      Skipped: skipped,
      Ids: accounts.map(({ id }) => id),
    };
  },
});
