import { loginStatusOf } from '@gatehouse/accounts';
import { accountAdmin, invitations, loginThrottle, passkeys, recoveryCodes, statement } from '@gatehouse/db';
import type { Account, ManagedAccount, ThrottleKey } from '@gatehouse/db';
import {
  CONDITION_CODES,
  emailKey,
  Enum,
  Integers,
  LoginStatus,
  Nullable,
  PASSWORD_SCHEMES,
  Timestamp,
  Type,
  Uuid,
  type Static,
} from '@gatehouse/schema';
import { unknownAccount } from '../account-answer.ts';
import { changeLockedAccount } from '../bulk-order.ts';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Accounts', access: ['Admin'] });

/** The reasons that can prevent a login with the correct password. */
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

/** The keys that count failed logins of an account: its email, and for second factors also the account itself. */
function throttleKeysOf({ id, email }: Pick<Account, 'id' | 'email'>): ThrottleKey[] {
  return [
    { kind: 'email', emailKey: emailKey(email) },
    { kind: 'second-factor', accountId: id },
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
  return all.flatMap(([holds, Code, { since, by }]) =>
    holds ? [{ Code, Since: since?.toISOString() ?? null, By: by }] : [],
  );
}

/** The latest change of an account's field according to the audit: its value since then, and who set it. */
interface FieldChange {
  field: string;
  value: unknown;
  at: Date;
  /** An account or a static token; `null` for the installation itself. */
  by: string | null;
}

/** How many audit entries are searched. Older entries hardly matter for the account's current state. */
const ENTRIES_MAX = 1000;

/** When an administrator last set these fields of an account, according to its latest audit entries. */
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
