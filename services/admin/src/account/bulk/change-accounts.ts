import { CHANGED_MAX, changeAccounts as changeThem, SHOWN_MAX, UNPROVEN_MAX } from '@gatehouse/accounts';
import { confirmationRequired } from '@gatehouse/http';
import { Nullable, Text, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { changeInBulk, dryRun } from '../../bulk-order.ts';
import { route } from '../../deps.ts';
import { accountAnswer, AccountAnswer, NEEDS_PROOF } from '../../account-answer.ts';
import { accountBulkFilters } from '../account-filters.ts';
import { BAN_FIELDS, readBan } from '../read-ban.ts';
import { readExpiry } from '../read-expiry.ts';

const Change = Type.Object(
  {
    ...BAN_FIELDS,
    ExpiresAt: Type.Optional(Nullable(Timestamp(), { description: 'null means never' })),
    TwoFactorRequired: Type.Optional(Type.Boolean()),
    NewPasswordRequired: Type.Optional(Type.Boolean()),
  },
  { title: 'AccountChange', minProperties: 1, description: 'As for updating an account' },
);

/** The answer to a bulk change of accounts. */
export const BulkAnswer = Type.Object({
  Items: Type.Array(AccountAnswer),
  Count: Type.Integer({ minimum: 0 }),
  Skipped: Type.Integer({ minimum: 0 }),
  Ids: Type.Array(Uuid(), { description: 'IDs of the changed accounts, newest first' }),
});

export const changeAccounts = route({
  method: 'post',
  path: '/admin/account/bulk',
  operationId: 'updateAccounts',
  tag: 'Accounts',
  summary: 'Update all accounts that match a filter',
  description:
    'Either all matching accounts are changed or none; accounts that are already in the requested state ' +
    `are counted in \`Skipped\`. \`Items\` contains the newest ${SHOWN_MAX} changed accounts after the ` +
    'change, `Count` their number and `Ids` all of their IDs. Returns 409 if more than ' +
    `${CHANGED_MAX} accounts match, or if no administrator would remain.`,
  access: ['Admin'],
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
  handler: async ({ body, deps, refuse, ...asked }) => {
    const filter = accountBulkFilters.ofBody(body.Filter);
    const change = {
      ...readBan(body.Change, { reason: body.Reason, at: '/Change', now: deps.now() }),
      expiresAt: readExpiry(body.Change.ExpiresAt, '/Change/ExpiresAt'),
      isTwoFactorRequired: body.Change.TwoFactorRequired,
      isNewPasswordRequired: body.Change.NewPasswordRequired,
    };
    const most = { max: CHANGED_MAX, things: 'accounts' };
    const outcome = await changeInBulk({ ...asked, body, refuse }, most, (order) =>
      changeThem(deps, filter, change, order),
    );
    switch (outcome.kind) {
      case 'unproven':
        throw confirmationRequired(refuse);
      case 'last_administrator':
        throw refuse(
          'conflict',
          'At least one enabled administrator account without an expiry date must remain; nothing was changed',
        );
      case 'changed':
        return {
          Items: outcome.accounts.slice(0, SHOWN_MAX).map(accountAnswer),
          Count: outcome.count,
          Skipped: outcome.skipped,
          Ids: outcome.accounts.map(({ id }) => id),
        };
    }
  },
});
