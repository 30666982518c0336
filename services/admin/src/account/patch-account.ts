import { actorOf, changeAccount } from '@gatehouse/accounts';
import {
  DisplayName,
  distinctGroups,
  Groups,
  Locale,
  Nullable,
  Text,
  Timestamp,
  Type,
} from '@gatehouse/schema';
import { route } from '../deps.ts';
import {
  accountAnswer,
  AccountAnswer,
  AccountPath,
  changedAccountOf,
  NEEDS_PROOF,
  Role,
  SessionLimit,
} from '../account-answer.ts';
import { BAN_FIELDS, readBan } from './read-ban.ts';
import { readExpiry } from './read-expiry.ts';

export const patchAccount = route({
  method: 'patch',
  path: '/admin/account/:id',
  operationId: 'updateAccount',
  tag: 'Accounts',
  summary: 'Update an account',
  description:
    'Omitted fields remain unchanged. Disabling or expiring the account, requiring a new password, or ' +
    'requiring a second factor that is not set up ends its sessions before the response is sent; a role ' +
    'change applies to them immediately. Returns 409 if no administrator would remain, if the erasure of ' +
    'an account to be enabled is pending, or if the change is not possible for a service account.',
  access: ['Admin'],
  recent: { when: `the account ${NEEDS_PROOF}` },
  params: AccountPath,
  body: Type.Object({
    ...BAN_FIELDS,
    Reason: Type.Optional(Text(200, { description: 'Recorded in the audit, and as why it is disabled' })),
    ExpiresAt: Type.Optional(
      Nullable(Timestamp(), {
        description: 'When the account expires. A time in the past expires it now; null means never.',
      }),
    ),
    Role: Type.Optional(Role),
    IsService: Type.Optional(Type.Boolean()),
    TwoFactorRequired: Type.Optional(Type.Boolean()),
    NewPasswordRequired: Type.Optional(Type.Boolean()),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
    SessionLimit: Type.Optional(SessionLimit()),
    Groups: Type.Optional(
      Groups({ description: 'All groups that administrators give; those of identity providers stay' }),
    ),
  }),
  response: AccountAnswer,
  errors: ['not_found', 'conflict', 'confirmation_required'],
  handler: async ({ params, body, caller, deps, request, isConfirmed, refuse }) => {
    const change = {
      ...readBan(body, { reason: body.Reason, at: '', now: deps.now() }),
      expiresAt: readExpiry(body.ExpiresAt, '/ExpiresAt'),
      role: body.Role,
      isService: body.IsService,
      isTwoFactorRequired: body.TwoFactorRequired,
      isNewPasswordRequired: body.NewPasswordRequired,
      displayName: body.DisplayName,
      locale: body.Locale,
      sessionLimit: body.SessionLimit,
      groups: body.Groups && distinctGroups(body.Groups),
    };
    request.addToLog({ targetId: params.id });
    const isUnproven = !(await isConfirmed());
    const by = { actor: actorOf(caller), origin: request, isUnproven, reason: body.Reason };
    return accountAnswer(changedAccountOf(refuse, await changeAccount(deps, params.id, change, by)));
  },
});
