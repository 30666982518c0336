import {
  ACCOUNTS_CHANGED_MAX,
  actorOf,
  changeAccounts as changeThem,
  SHOWN_MAX,
  UNPROVEN_MAX,
  type AccountQuery,
} from '@gatehouse/accounts';
import {
  Email,
  LoginStatus,
  Nullable,
  OneOf,
  type Static,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '@gatehouse/schema';
import { confirmationRequired } from '@gatehouse/http';
import { route } from '../../deps.ts';
import { filterSearch, SEARCH_MIN } from '../../filter-search.ts';
import { keyOfEmail } from '../../key-of-email.ts';
import { readMoment } from '../../read-moment.ts';
import { accountAnswer, AccountAnswer, NEEDS_PROOF, Role } from '../../account-answer.ts';
import { readExpiry } from '../read-expiry.ts';

const Filter = Type.Object(
  {
    Ids: Type.Optional(Type.Array(Uuid(), { minItems: 1, maxItems: 1000 })),
    Search: Type.Optional(Text(254, { description: `At least ${SEARCH_MIN} characters` })),
    Email: Type.Optional(Email()),
    Role: Type.Optional(Role),
    LoginStatus: Type.Optional(OneOf(LoginStatus)),
    HasTwoFactor: Type.Optional(Type.Boolean()),
    HasPasskey: Type.Optional(Type.Boolean()),
    IsService: Type.Optional(Type.Boolean()),
    CreatedFrom: Type.Optional(Timestamp()),
    CreatedTo: Type.Optional(Timestamp()),
    LastLoginBefore: Type.Optional(Timestamp()),
    IsThrottled: Type.Optional(Type.Boolean()),
  },
  {
    title: 'AccountFilter',
    minProperties: 1,
    description: 'The same filters as for listing accounts; at least one is required',
  },
);

const Change = Type.Object(
  {
    IsDisabled: Type.Optional(Type.Boolean()),
    ExpiresAt: Type.Optional(Nullable(Timestamp(), { description: 'null means never' })),
    TwoFactorRequired: Type.Optional(Type.Boolean()),
    NewPasswordRequired: Type.Optional(Type.Boolean()),
  },
  { title: 'AccountChange', minProperties: 1, description: 'As for updating an account' },
);

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
    `${ACCOUNTS_CHANGED_MAX} accounts match, or if no administrator would remain.`,
  access: ['Admin'],
  recent: {
    when: `the change applies to more than ${UNPROVEN_MAX} accounts, or to one that ${NEEDS_PROOF}`,
  },
  body: Type.Object({
    Filter,
    Change,
    Reason: Type.Optional(Text(200, { description: 'Recorded in the audit' })),
    DryRun: Type.Optional(
      Type.Boolean({ description: 'Return what the change would return, without making it' }),
    ),
  }),
  response: Type.Object({
    Items: Type.Array(AccountAnswer),
    Count: Type.Integer({ minimum: 0 }),
    Skipped: Type.Integer({ minimum: 0 }),
    Ids: Type.Array(Uuid(), { description: 'IDs of the changed accounts, newest first' }),
  }),
  errors: ['conflict', 'confirmation_required'],
  handler: async ({ body, caller, deps, request, isConfirmed, refuse }) => {
    const isTrial = body.DryRun === true;
    const change = {
      isDisabled: body.Change.IsDisabled,
      expiresAt: readExpiry(body.Change.ExpiresAt, '/Change/ExpiresAt'),
      isTwoFactorRequired: body.Change.TwoFactorRequired,
      isNewPasswordRequired: body.Change.NewPasswordRequired,
    };
    const isUnproven = !(await isConfirmed());
    const order = { actor: actorOf(caller), origin: request, reason: body.Reason, isTrial, isUnproven };
    const outcome = await changeThem(deps, queryOf(body.Filter), change, order);
    switch (outcome.kind) {
      case 'too_many':
        throw refuse('conflict', `More than ${ACCOUNTS_CHANGED_MAX} accounts match; nothing was changed`);
      case 'unproven':
        throw confirmationRequired(refuse);
      case 'last_administrator':
        throw refuse(
          'conflict',
          'At least one enabled administrator account without an expiry date must remain; nothing was changed',
        );
      case 'changed': {
        const { accounts, skipped } = outcome;
        request.addToLog({ changed: isTrial ? 0 : accounts.length });
        return {
          Items: accounts.slice(0, SHOWN_MAX).map(accountAnswer),
          Count: accounts.length,
          Skipped: skipped,
          Ids: accounts.map(({ id }) => id),
        };
      }
    }
  },
});

function queryOf(filter: Static<typeof Filter>): AccountQuery {
  return {
    ids: filter.Ids,
    search: filterSearch(filter.Search),
    emailKey: keyOfEmail(filter.Email),
    role: filter.Role,
    loginStatus: filter.LoginStatus,
    hasTwoFactor: filter.HasTwoFactor,
    hasPasskey: filter.HasPasskey,
    isService: filter.IsService,
    createdFrom: readMoment(filter.CreatedFrom, '/Filter/CreatedFrom'),
    createdTo: readMoment(filter.CreatedTo, '/Filter/CreatedTo'),
    lastLoginBefore: readMoment(filter.LastLoginBefore, '/Filter/LastLoginBefore'),
    isThrottled: filter.IsThrottled,
  };
}
