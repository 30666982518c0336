import { LoginStatus, SessionStatus } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import type { Result } from '../../ui/api.ts';
import { Checkbox, Select } from '../../ui/fields.tsx';
import type { FieldValues } from '../../ui/form.tsx';
import type { Account, CallApi, Input, Me } from '../api/call-api.ts';
import { ERASE, EXPORT, usePendingErasure } from '../erasure/erasure.tsx';
import { type Act, Acts, actsOn, calls, sends } from '../kit/act.tsx';
import { check, type FormField, language, list, moment, text, TextField } from '../kit/fields.tsx';
import { isWaiting } from '../objects.tsx';
import { ChangeDialog } from '../sessions/sessions.tsx';
import { choicesOf, type TextKey, words } from '../text.ts';
import { localTime, momentOf } from '../ui/typed.ts';

type Change = NonNullable<Input<'PATCH /admin/account/{id}'>['body']>;
type Run = (callApi: CallApi, account: Account) => Promise<Result<unknown>>;

const act = actsOn<Account>();
const change = sends('PATCH /admin/account/{id}');
const isOwn = ({ Id }: Account, me: Me): boolean => me.Account.Id === Id;

/** Whether its owner can log in now, and so confirm something. */
function canLogIn({ LoginStatus: status }: Account): boolean {
  return (
    status === undefined ||
    status === LoginStatus.TwoFactorSetupRequired ||
    status === LoginStatus.TwoFactorCodeRequired
  );
}

type Confirmed = Pick<Act<Account>, 'if'> & { isDangerous?: boolean; undo?: Run };

/** An action that only needs a confirmation. `isDangerous`: the menu warns of it, as its dialog always does. */
function confirmed(label: TextKey, run: Run, { isDangerous = false, ...own }: Confirmed = {}): Act<Account> {
  const shown = act({ label, kind: 'danger', run, ...own });
  return { ...shown, kind: isDangerous ? 'danger' : 'primary' };
}

const changing =
  (body: Change): Run =>
  (callApi, account) =>
    change(callApi, account, body);

export const INVITE = confirmed('account.invite', calls('POST /admin/account/{id}/invite'), {
  // Guests are invited to content.
  if: ({ LoginStatus: status }) => isWaiting(status) && status !== LoginStatus.IsPendingInvitation,
});

export const RESET = confirmed('account.reset', calls('POST /admin/account/{id}/reset-password'), {
  // A new password would not open the others.
  if: ({ LoginStatus: status }) =>
    !isWaiting(status) && status !== LoginStatus.IsDisabled && status !== LoginStatus.IsExpired,
});

export const RELEASE_2FA = confirmed('account.release2fa', changing({ TwoFactorRequired: false }), {
  if: ({ TwoFactorRequired }) => TwoFactorRequired,
  undo: changing({ TwoFactorRequired: true }),
});

export const REQUIRE_2FA = confirmed('account.require2fa', changing({ TwoFactorRequired: true }), {
  if: ({ TwoFactorRequired, IsService }) => !TwoFactorRequired && !IsService,
  undo: changing({ TwoFactorRequired: false }),
});

/** Owners remove their own second factor as everybody does, on the account pages. */
export const REMOVE_2FA = confirmed('account.remove2fa', calls('DELETE /admin/account/{id}/two-factor'), {
  if: (account, me) => account.TwoFactorEnabled && !isOwn(account, me),
  isDangerous: true,
});

/** An account with a pending erasure is enabled by cancelling the erasure. */
export const ENABLE = confirmed('account.enable', changing({ IsDisabled: false }), {
  if: ({ IsDisabled, ErasesAt }) => IsDisabled && ErasesAt === null,
  undo: (callApi, account) => {
    const { DisabledUntil, DisabledReason: Reason, TellReason } = account;
    const ban = { IsDisabled: true, DisabledUntil, TellReason, ...(Reason !== null && { Reason }) };
    return change(callApi, account, ban);
  },
});

const LIMIT = text('SessionLimit', 'account.sessionLimit', {
  inputMode: 'numeric',
  empty: null,
  initial: ({ SessionLimit }: Account) => (SessionLimit === null ? '' : String(SessionLimit)),
});

const EDITED = [
  text('DisplayName', 'field.name', { empty: '' }),
  language('account.language'),
  list('Groups', 'account.groups', {
    isSpaced: true,
    // Those that administrators give.
    initial: ({ GroupSources }: Account) =>
      GroupSources.flatMap(({ Label, Source }) => (Source === 'Administrator' ? [Label] : [])),
  }),
  moment('ExpiresAt', 'account.expires', { empty: null }),
  // Text that is no number becomes one that the API refuses.
  { ...LIMIT, read: (typed = '') => (typed.trim() === '' ? null : Number(typed) || 0) },
] as const;

export const EDIT = act({
  label: 'account.edit',
  isChange: true,
  fields: EDITED,
  run: change,
  done: 'account.done',
});

const DAY_MS = 24 * 3600 * 1000;

/** How long an account can be disabled; `always` until an administrator enables it, `time` until a time. */
const LENGTHS = ['always', 'day', 'week', 'month', 'time'];
const DAYS: Readonly<Partial<Record<string, number>>> = { day: 1, week: 7, month: 30 };

/** Asks until when accounts are disabled, and whether their owners are told. `until`: the present end. */
export function BanFields({ until, tells = false }: { until?: string | null; tells?: boolean }) {
  const [length, setLength] = useState(until ? 'time' : 'always');
  return (
    <>
      <Select
        name="Length"
        label={words('ban.until')}
        defaultValue={length}
        options={choicesOf('ban', LENGTHS)}
        onChange={setLength}
      />
      {length === 'time' && (
        <TextField
          name="DisabledUntil"
          type="datetime-local"
          label="ban.time"
          defaultValue={until ? localTime(until) : ''}
          required
        />
      )}
      <Checkbox name="TellReason" checked={tells}>
        {words('ban.tell')}
      </Checkbox>
    </>
  );
}

export function banOf({ Length: length = '', DisabledUntil = '', TellReason }: FieldValues) {
  const days = DAYS[length];
  const until = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS).toISOString();
  return {
    IsDisabled: true,
    DisabledUntil: length === 'time' ? (momentOf(DisabledUntil) ?? '') : (until ?? null),
    TellReason: TellReason !== undefined,
  } satisfies Change;
}

const LENGTH: FormField<Account, 'Length', ReturnType<typeof banOf>> = {
  name: 'Length',
  initial: ({ DisabledUntil }) => (DisabledUntil === null ? 'always' : 'time'),
  Show: ({ row: { DisabledUntil, TellReason } }) => <BanFields until={DisabledUntil} tells={TellReason} />,
  read: (_length, _account, typed) => banOf(typed),
};

const BAN = {
  fields: [
    text('Reason', 'ban.reason', {
      empty: undefined,
      initial: ({ DisabledReason }: Account) => DisabledReason,
    }),
    LENGTH,
  ],
  run: (
    callApi: CallApi,
    account: Account,
    { Length: ban, ...reason }: { Length: ReturnType<typeof banOf>; Reason?: string },
  ) => change(callApi, account, { ...ban, ...reason }),
} as const;

const ACTS: readonly Act<Account>[] = [
  act({
    label: 'sessions.signOut',
    kind: 'danger',
    fields: [text('Reason', 'sessions.change.reason', { empty: undefined })],
    run: (callApi, { Id }, body) =>
      callApi('POST /admin/user-session', {
        body: { UserId: Id, Status: SessionStatus.Deactivated, ...body },
      }),
  }),
  {
    label: 'sessions.change.title',
    Part: ({ row, onClose }) => <ChangeDialog target={{ UserId: row.Id }} onClose={onClose} />,
  },
  // Confirmed by its owner, or at once, which is the only way if they cannot log in.
  act({
    label: 'account.email',
    if: (account, me) => !isOwn(account, me) && account.LoginStatus !== LoginStatus.IsPendingInvitation,
    lead: (account) => (canLogIn(account) ? 'account.email.effect' : 'account.email.force.effect'),
    fields: [
      text('Email', 'field.newEmail', { type: 'email', initial: () => '' }),
      check('Force', 'account.email.force', { if: canLogIn }),
    ],
    explanations: { email_taken: 'problem.email_taken' },
    run: (callApi, account, { Email, Force }) =>
      sends('POST /admin/account/{id}/change-email')(callApi, account, {
        Email,
        Force: Force || !canLogIn(account),
      }),
    done: (account, { Email, Force }) =>
      words(Force || !canLogIn(account) ? 'account.done' : 'account.email.mailed', { email: Email }),
  }),
  INVITE,
  RESET,
  RELEASE_2FA,
  REQUIRE_2FA,
  confirmed('account.newPassword', changing({ NewPasswordRequired: true })),
  confirmed('account.demote', changing({ Role: 'User' }), {
    if: ({ Role }) => Role === 'Admin',
    undo: changing({ Role: 'Admin' }),
  }),
  confirmed('account.promote', changing({ Role: 'Admin' }), {
    if: ({ Role, IsService }) => Role === 'User' && !IsService,
    undo: changing({ Role: 'User' }),
    isDangerous: true,
  }),
  confirmed('account.makeService', changing({ IsService: true }), {
    if: ({ Role, IsService, TwoFactorRequired }) => Role === 'User' && !IsService && !TwoFactorRequired,
    isDangerous: true,
  }),
  confirmed('account.makePerson', changing({ IsService: false }), {
    if: ({ IsService }) => IsService,
    isDangerous: true,
  }),
  REMOVE_2FA,
  ENABLE,
  EXPORT,
  act({
    label: 'account.disable',
    kind: 'danger',
    if: ({ IsDisabled }) => !IsDisabled,
    ...BAN,
    undo: changing({ IsDisabled: false }),
  }),
  act({
    label: 'account.ban',
    if: ({ IsDisabled }) => IsDisabled,
    ...BAN,
    done: 'account.done',
  }),
];

export function AccountActions({ account }: { account: Account }) {
  const { isOwnWish } = usePendingErasure(account);
  const mayErase = account.ErasesAt === null || isOwnWish;
  return <Acts acts={mayErase ? [...ACTS, ERASE] : ACTS} row={account} labelled />;
}
