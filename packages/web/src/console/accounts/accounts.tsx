import { LoginStatus } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import { Checkbox, PasswordField, Select } from '../../ui/fields.tsx';
import type { Input } from '../api/call-api.ts';
import { rowOf } from '../export/csv.ts';
import { creates } from '../kit/act.tsx';
import { choice, type FormField, language, list, text } from '../kit/fields.tsx';
import { defineList } from '../kit/list.tsx';
import { ConditionBadge, isWaiting } from '../objects.tsx';
import { choicesOf, words, wordsFor } from '../text.ts';
import { ago, Badge, Person } from '../ui/values.tsx';
import { BulkChange } from './bulk-change.tsx';

const WITH_PASSWORD: readonly string[] = ['password', 'service'];

/** How an account starts: waiting for its owner, who may be mailed a link; or with a password. */
const START: FormField<undefined, 'Start', Start> = {
  name: 'Start',
  initial: () => 'owner',
  Show: ({ initial }) => {
    const [start, setStart] = useState(initial);
    return (
      <>
        <Select
          name="Start"
          label={words('accounts.start')}
          defaultValue={initial}
          options={choicesOf('accounts.start', ['owner', 'migrated', 'password', 'service'])}
          onChange={setStart}
        />
        {WITH_PASSWORD.includes(start) ? (
          <PasswordField purpose="new" />
        ) : (
          <Checkbox name="Invite" checked>
            {words('accounts.invite')}
          </Checkbox>
        )}
      </>
    );
  },
  read: (start, _, { Invite, Password }) => ({
    ...(start === 'migrated' && { IsMigrated: true }),
    ...(Invite !== undefined && { Invite: true }),
    ...(Password !== undefined && { Password }),
    ...(start === 'service' && { IsService: true }),
  }),
};

type Start = Pick<
  NonNullable<Input<'POST /admin/account'>['body']>,
  'IsMigrated' | 'Invite' | 'Password' | 'IsService'
>;

const CREATE = creates({
  label: 'accounts.create',
  fields: [
    text('Email', 'field.email', { type: 'email' }),
    text('DisplayName', 'field.name', { empty: undefined }),
    choice('Role', 'accounts.role', {
      initial: 'User',
      options: () => choicesOf('role', ['User', 'Admin']),
      as: (role) => (role === 'Admin' ? 'Admin' : 'User'),
    }),
    list('Groups', 'accounts.groups', { isSpaced: true, empty: undefined }),
    language<undefined>('account.language'),
    START,
  ],
  explanations: { email_taken: 'problem.email_taken' },
  run: (callApi, _, { Start: start, ...body }) =>
    callApi('POST /admin/account', { body: { ...body, ...start } }),
  done: (_, { Start: { Invite } }) => words(Invite ? 'accounts.created.invited' : 'accounts.created.done'),
  next: ({ Id }) => `/console/accounts/${Id}`,
});

export const AccountsScreen = defineList({
  operation: 'GET /admin/account',
  caption: 'c.accounts.title',
  none: 'accounts.none',
  hrefOf: ({ Id }) => `/console/accounts/${Id}`,
  filters: [
    { name: 'search', label: 'search.label', type: 'search' },
    { name: 'role', label: 'accounts.role', options: ['User', 'Guest', 'Admin'], texts: 'role' },
    {
      name: 'loginStatus',
      label: 'accounts.condition',
      type: 'number',
      options: Object.values(LoginStatus),
      texts: 'condition',
    },
    { name: 'hasTwoFactor', label: 'accounts.twoFactor', type: 'boolean' },
    { name: 'hasPassword', label: 'field.password', type: 'boolean', isRare: true },
    { name: 'hasPasskey', label: 'accounts.passkey', type: 'boolean', isRare: true },
    { name: 'isThrottled', label: 'accounts.throttled', type: 'boolean', isRare: true },
    { name: 'isService', label: 'accounts.service', type: 'boolean', isRare: true },
    { name: 'disabledUntilBefore', label: 'accounts.banEnds', type: 'datetime-local', isRare: true },
    { name: 'group', label: 'accounts.group', isRare: true },
    { name: 'createdFrom', label: 'accounts.createdFrom', type: 'datetime-local', isRare: true },
    { name: 'createdTo', label: 'accounts.createdTo', type: 'datetime-local', isRare: true },
    { name: 'lastLoginBefore', label: 'accounts.dormant', type: 'datetime-local', isRare: true },
  ],
  columns: [
    ['account.one', ({ Email, DisplayName }) => <Person email={Email} name={DisplayName} />, 'clipped'],
    ['accounts.role', ({ Role }) => wordsFor('role', Role)],
    [
      'accounts.condition',
      ({ LoginStatus: status, HasPassword }) => (
        <>
          <ConditionBadge status={status} />
          {!HasPassword && !isWaiting(status) && (
            <>
              {' '}
              <Badge meaning="neutral">{words('accounts.withoutPassword')}</Badge>
            </>
          )}
        </>
      ),
    ],
    [
      'accounts.twoFactor',
      ({ TwoFactorEnabled, HasPasskey }) =>
        [TwoFactorEnabled && words('accounts.app'), HasPasskey && words('accounts.passkey')]
          .filter(Boolean)
          .join(', ') || null,
    ],
    ago('accounts.created', 'CreatedAt', 'secondary'),
    ago('accounts.lastLogin', 'LastLoginAt'),
  ],
  nameOf: ({ Email }) => Email,
  change: (target, close) => <BulkChange target={target} onClose={close} />,
  exported: {
    name: 'accounts',
    rowOf: (account) =>
      rowOf({ ...account, Condition: wordsFor('condition', account.LoginStatus ?? 'none') }, EXPORTED),
  },
  acts: [CREATE],
});

const EXPORTED = [
  'Id',
  'Email',
  'DisplayName',
  'Locale',
  'Role',
  'IsService',
  'LoginStatus',
  'Condition',
  'IsDisabled',
  'ExpiresAt',
  'TwoFactorEnabled',
  'TwoFactorRequired',
  'HasPassword',
  'HasPasskey',
  'NewPasswordRequired',
  'Groups',
  'CreatedAt',
  'LastLoginAt',
] as const;
