import { loginStatusOf } from '@gatehouse/accounts';
import {
  accountAdmin,
  accounts,
  accountSearch,
  countRows,
  invitations,
  loginThrottle,
  passkeys,
  recoveryCodes,
  statement,
  throttledSubjectOf,
} from '@gatehouse/db';
import type { Account, Executor, ManagedAccount, ThrottleKey } from '@gatehouse/db';
import {
  CountedPage,
  countFields,
  countQuery,
  invalidField,
  invalidRequest,
  pagingById,
  pagingQuery,
} from '@gatehouse/http';
import { by, defineFilters, email, moment, search } from '@gatehouse/kit';
import {
  CONDITION_CODES,
  emailKey,
  Enum,
  Group,
  Integers,
  isUuid,
  LoginStatus,
  Nullable,
  OneOf,
  PASSWORD_SCHEMES,
  Text,
  Timestamp,
  Type,
  Uuid,
  type Static,
} from '@gatehouse/schema';
import { accountAnswer, AccountAnswer, Role, unknownAccount } from '../account-answer.ts';
import { changeLockedAccount } from '../bulk-order.ts';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Accounts', access: ['Admin'] });

const FILTERS = {
  search: search(254),
  email: email(),
  role: by(Role),
  loginStatus: by(OneOf(LoginStatus)),
  hasTwoFactor: by(Type.Boolean(), 'Whether two-factor authentication is enabled'),
  hasPassword: by(Type.Boolean()),
  hasPasskey: by(Type.Boolean()),
  isService: by(Type.Boolean()),
  disabledUntilBefore: moment(),
  group: by(Group(), 'Accounts that have this group'),
  createdFrom: moment(),
  createdTo: moment(),
  lastLoginBefore: moment(),
  isThrottled: by(Type.Boolean(), 'Whether logins currently have to wait after failed attempts'),
};

const accountFilters = defineFilters(FILTERS);

/** Which accounts a bulk change applies to: also by their ids, which the list does not combine with filters. */
export const accountBulkFilters = defineFilters(
  { ids: by(Type.Array(Uuid(), { minItems: 1, maxItems: 1000 })), ...FILTERS },
  {
    title: 'AccountFilter',
    description: 'The same filters as for listing accounts; at least one is required',
  },
);
type AccountQuery = ReturnType<typeof accountBulkFilters.ofBody>;

const paging = pagingById('AccountId');

const IDS_MAX = 100;

export const listAccounts = route('GET /admin/account', {
  operationId: 'listAccounts',
  summary: 'List accounts, newest first',
  description:
    '`email` matches a complete email address, `search` an account ID or part of the email address or ' +
    'name, `loginStatus` the status that the next login with the correct password would return. `ids` ' +
    'returns the accounts with these IDs on one page, and cannot be combined with other parameters. A ' +
    'page can be short or empty and still have a `NextCursor`.',
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    ...accountFilters.query,
    ids: Type.Optional(
      Text(IDS_MAX * 37, { description: `1 to ${IDS_MAX} account IDs, separated by commas` }),
    ),
  }),
  response: CountedPage(AccountAnswer),
  handler: async ({ query, deps, request }) => {
    const { limit: _limit, count, ids, ...others } = query;
    if (ids !== undefined) {
      refuseOthers(others);
      const Items = await findInOrder(deps.db, readIds(ids));
      return { Items, ...countFields(count === true ? { count: Items.length, isExact: true } : undefined) };
    }
    const filter = accountFilters.ofQuery(query);
    return paging.answer(query, {
      find: async (page) => accountSearch.findNewest(deps.db, await conditionsFor(deps.db, filter), page),
      count: async () => countRows(deps, accountSearch.rowsOf(await conditionsFor(deps.db, filter)), request),
      items: (rows) => rows.map(accountAnswer),
    });
  },
});

async function findInOrder(db: Executor, ids: readonly string[]) {
  const found = new Map((await accountAdmin.findMany(db, ids)).map((account) => [account.id, account]));
  return ids.flatMap((id) => found.get(id) ?? []).map(accountAnswer);
}

function refuseOthers(others: Record<string, unknown>): void {
  const given = Object.keys(others).filter((name) => others[name] !== undefined);
  if (given.length === 0) return;
  throw invalidRequest(undefined, {
    errors: ['ids', ...given].map((name) => ({
      pointer: `/query/${name}`,
      message: 'ids cannot be combined with other parameters',
      code: 'does_not_go_with',
    })),
  });
}

function readIds(text: string): string[] {
  const ids = text.split(',').map((id) => id.trim().toLowerCase());
  const fault = ids.every(isUuid)
    ? ids.length > IDS_MAX && ({ message: `must have at most ${IDS_MAX} IDs`, code: 'too_many' } as const)
    : ({ message: 'must be UUIDs separated by commas', code: 'not_a_uuid' } as const);
  if (!fault) return [...new Set(ids)];
  throw invalidField('/query/ids', fault.message, fault.code);
}

/** More waiting keys at one time are an attack; the list then contains those that wait longest. */
const WAITING_MAX = 10_000;

/**
 * The filter in the form that the database needs. A search for the identifier of an account finds only that account.
 * The waiting keys are looked up first, because failures are not stored in the table of accounts.
 */
export async function conditionsFor(db: Executor, { isThrottled, ...asked }: AccountQuery) {
  const id = asked.search?.trim().toLowerCase() ?? '';
  const isNamed = isUuid(id) && (await accounts.findById(db, id)) !== undefined;
  const ids = asked.ids === undefined || asked.ids.includes(id) ? [id] : [];
  const filter = isNamed ? { ...asked, search: undefined, ids } : asked;
  if (isThrottled === undefined) return filter;
  const keys = await loginThrottle.findWaiting(db, WAITING_MAX);
  const emailKeys: string[] = [];
  const accountIds: string[] = [];
  for (const subject of keys.map(throttledSubjectOf)) {
    if (subject?.kind === 'email') emailKeys.push(subject.emailKey);
    else if (subject?.kind === 'second-factor') accountIds.push(subject.accountId);
  }
  return { ...filter, throttled: { is: isThrottled, emailKeys, accountIds } };
}

export const getAccount = route('GET /admin/account/:id', {
  operationId: 'getAccount',
  summary: 'Get an account',
  response: AccountAnswer,
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const account = await accountAdmin.find(deps.db, params.id);
    if (account === undefined) throw unknownAccount(refuse);
    return accountAnswer(account);
  },
});

const STANDING_CODES = ['two_factor_setup_required', ...Object.values(CONDITION_CODES)] as const;
type StandingCode = (typeof STANDING_CODES)[number];

const Reason = Type.Object(
  {
    Code: Enum(STANDING_CODES),
    Since: Nullable(Timestamp(), { description: 'null if unknown' }),
    By: Nullable(Uuid(), {
      description: 'The account or API token that caused it; null for the owner or the system, or if unknown',
    }),
  },
  { title: 'StandingReason' },
);

const getStanding = route('GET /admin/account/:id/standing', {
  operationId: 'getAccountStanding',
  summary: 'Find out why an account cannot log in',
  description:
    '`Reasons` contains everything that applies, in the order in which a login checks it; `LoginStatus` is what ' +
    'the next login with the correct password would return. `Failures` counts failed logins (password and second ' +
    'factor) since the last successful one or the last unlock, for at most a day; until `BlockedUntil` further ' +
    'attempts are refused.',
  response: Type.Object(
    {
      LoginStatus: Type.Optional(Integers(LoginStatus, 'LoginStatus')),
      Reasons: Type.Array(Reason),
      Failures: Type.Integer({ minimum: 0 }),
      BlockedUntil: Nullable(Timestamp(), { description: 'null if logins do not have to wait' }),
      LastRefusedAt: Nullable(Timestamp()),
      HasPassword: Type.Boolean(),
      PasswordScheme: Nullable(Enum(PASSWORD_SCHEMES), {
        description:
          '`raw`, `foreign` and `wrapped`: an imported hash, replaced at the next login; null without a password',
      }),
      RecoveryCodesLeft: Type.Integer({ minimum: 0 }),
      Passkeys: Type.Integer({ minimum: 0 }),
    },
    { title: 'AccountStanding' },
  ),
  errors: ['not_found'],
  handler: async ({ params: { id }, deps: { db }, refuse }) => {
    const account = await accountAdmin.find(db, id);
    if (account === undefined) throw unknownAccount(refuse);
    const [throttle, recoveryCodesLeft, passkeyCount, changes, invitation] = await Promise.all([
      loginThrottle.findStanding(db, throttleKeysOf(account)),
      recoveryCodes.countLeft(db, id),
      passkeys.count(db, id),
      findFieldChanges(db, id, FIELDS),
      account.signup === 'invitation' ? invitations.findNewestPendingOf(db, id) : undefined,
    ]);
    const loginStatus = loginStatusOf(account);
    return {
      ...(loginStatus !== undefined && { LoginStatus: loginStatus }),
      Reasons: reasonsOf(account, new Map(changes.map((change) => [change.field, change])), invitation),
      Failures: throttle.failures,
      BlockedUntil: throttle.blockedUntil?.toISOString() ?? null,
      LastRefusedAt: throttle.lastRefusedAt?.toISOString() ?? null,
      HasPassword: account.passwordScheme !== null,
      PasswordScheme: account.passwordScheme,
      RecoveryCodesLeft: recoveryCodesLeft,
      Passkeys: passkeyCount,
    };
  },
});

const unlockAccount = route('POST /admin/account/:id/unlock', {
  operationId: 'unlockAccount',
  summary: 'Clear failed logins',
  description:
    'Clears the failed logins (password and second factor) of the account, so that the next attempt does not ' +
    'have to wait. Limits on client addresses are not affected. Has no effect if there are none.',
  recent: { when: 'the account is an administrator’s' },
  response: Type.Object({}),
  errors: ['not_found', 'confirmation_required'],
  handler: async (input) => {
    // Failures are counted by the email, which cannot change while the account is locked. Those of attempts that begin
    // after this count.
    await changeLockedAccount(input, async (tx, account) => {
      const failures = await loginThrottle.clearAll(tx, throttleKeysOf(account));
      if (failures > 0) tx.audit('account.unlocked', { Failures: failures });
    });
    return {};
  },
});

export const standingRoutes = [getStanding, unlockAccount];

function throttleKeysOf(account: Pick<Account, 'id' | 'email'>): ThrottleKey[] {
  return [
    { kind: 'email', emailKey: emailKey(account.email) },
    { kind: 'second-factor', accountId: account.id },
  ];
}

/** The fields of audit entries from which the reasons are read; `LoginStatus` is that of a new account. */
const FIELDS = ['IsDisabled', 'ExpiresAt', 'NewPasswordRequired', 'TwoFactorRequired', 'LoginStatus'];

function reasonsOf(
  account: ManagedAccount,
  changesByField: ReadonlyMap<string, FieldChange>,
  invitation: { invitedAt: Date; invitedBy: string | null } | undefined,
): Static<typeof Reason>[] {
  const { isDisabled, isExpired, signup, isEmailVerified, createdAt } = account;
  const created = { since: createdAt, by: changesByField.get('LoginStatus')?.by ?? null };
  const invited = { since: invitation?.invitedAt ?? createdAt, by: invitation?.invitedBy ?? null };
  const setTo = (field: string, value: unknown) => {
    const change = changesByField.get(field);
    const isKnown = change !== undefined && change.value === value;
    return isKnown ? { since: change.at, by: change.by } : { since: null, by: null };
  };
  const expiry = account.expiresAt?.toISOString();
  const { isTwoFactorRequired, isTwoFactorEnabled, hasPasskey } = account;
  const needsSetup = isTwoFactorRequired && !isTwoFactorEnabled && !hasPasskey;
  const all: [boolean, StandingCode, { since: Date | null; by: string | null }][] = [
    [isDisabled, 'account_disabled', setTo('IsDisabled', true)],
    [isExpired, 'account_expired', { since: account.expiresAt, by: setTo('ExpiresAt', expiry).by }],
    [signup === 'new', 'signup_pending', created],
    [signup === 'migration', 'migration_pending', created],
    [signup === 'invitation', 'invitation_pending', invited],
    [signup === 'complete' && !isEmailVerified, 'email_confirmation_pending', { ...created, by: null }],
    [account.isNewPasswordRequired, 'new_password_required', setTo('NewPasswordRequired', true)],
    [needsSetup, 'two_factor_setup_required', setTo('TwoFactorRequired', true)],
  ];
  return all.flatMap(([holds, Code, { since, by: By }]) =>
    holds ? [{ Code, Since: since?.toISOString() ?? null, By }] : [],
  );
}

interface FieldChange {
  field: string;
  value: unknown;
  at: Date;
  /** An account or a static token; `null` for the installation itself. */
  by: string | null;
}

/** How many audit entries are searched. Older entries hardly matter for the account's current state. */
const ENTRIES_MAX = 1000;

const findFieldChanges = statement.rows<FieldChange, [accountId: string, fields: readonly string[]]>(`
  with recent as materialized (
    select id, at, actor_id, action, details
    from audit
    where target_id = ?
    order by id desc
    limit ${ENTRIES_MAX}
  )
  select distinct on (field) field, details -> field as value, at, actor_id as by
  from recent
  cross join unnest(cast(? as text[])) field
  where action in ('account.changed', 'account.created') and jsonb_exists(details, field)
  order by field, id desc`);
