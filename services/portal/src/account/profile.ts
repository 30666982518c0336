import { accountUpdated, asOwner, differingNames, write } from '@gatehouse/accounts';
import { accounts, profiles, type Profile } from '@gatehouse/db';
import type { Refuse } from '@gatehouse/http';
import { DisplayName, Email, Enum, Locale, Nullable, ROLES, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

/** An account as its owner sees it. */
const ProfileAnswer = Type.Object(
  {
    Id: Uuid(),
    Email: Email(),
    DisplayName: Nullable(Type.String()),
    Locale: Type.String(),
    Role: Enum(ROLES),
    HasPassword: Type.Boolean({
      description: 'Whether the account has a password to log in and to confirm changes',
    }),
    TwoFactorEnabled: Type.Boolean(),
    TwoFactorRequired: Type.Boolean({
      description: 'Whether an administrator requires two-factor authentication',
    }),
    RecoveryCodesLeft: Type.Integer({ minimum: 0, description: 'Recovery codes that have not been used' }),
    CreatedAt: Timestamp(),
  },
  { title: 'Profile' },
);

export const profileRoutes = [
  route({
    method: 'get',
    path: '/account/profile',
    operationId: 'getProfile',
    tag: 'Account',
    summary: 'Get your profile',
    access: 'session',
    response: ProfileAnswer,
    errors: ['session_ended'],
    handler: async ({ caller, deps, refuse }) =>
      profileAnswer(refuse, await profiles.find(deps.db, caller.accountId)),
  }),

  route({
    method: 'put',
    path: '/account/profile',
    operationId: 'updateProfile',
    tag: 'Account',
    summary: 'Update your profile',
    description: 'Omitted fields remain unchanged.',
    access: 'session',
    body: Type.Object({ DisplayName: Type.Optional(DisplayName()), Locale: Type.Optional(Locale()) }),
    response: ProfileAnswer,
    errors: ['session_ended'],
    handler: async ({ body, caller: { accountId }, deps, request, refuse }) => {
      const given = { displayName: body.DisplayName, locale: body.Locale };
      const profile = await write(deps, asOwner(accountId, request), async (tx) => {
        const before = await accounts.lockById(tx, accountId);
        const after = await profiles.update(tx, accountId, given);
        if (before === undefined || after === undefined) return undefined;
        const changed = differingNames(before, after);
        if (changed.length > 0) tx.audit('profile.changed', { Changed: changed });
        tx.event(...accountUpdated(accountId, changed, { changedBy: accountId, origin: request }));
        return after;
      });
      return profileAnswer(refuse, profile);
    },
  }),
];

/** @throws {ApiError} if the account was removed with its session during the request. */
function profileAnswer(refuse: Refuse<'session_ended'>, profile: Profile | undefined) {
  if (profile === undefined) throw refuse('session_ended');
  return {
    Id: profile.id,
    Email: profile.email,
    DisplayName: profile.displayName,
    Locale: profile.locale,
    Role: profile.role,
    HasPassword: profile.hasPassword,
    TwoFactorEnabled: profile.isTwoFactorEnabled,
    TwoFactorRequired: profile.isTwoFactorRequired,
    RecoveryCodesLeft: profile.recoveryCodesLeft,
    CreatedAt: profile.createdAt.toISOString(),
  };
}
