import { Email, Enum, Nullable, ROLES, Timestamp, Type, Uuid } from '@gatehouse/schema';
import type { Profile } from '@gatehouse/db';
import type { Refuse } from '@gatehouse/http';

/** An account as its owner sees it. */
export const ProfileAnswer = Type.Object(
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

/** @throws {ApiError} if the account was removed with its session during the request. */
export function profileAnswer(refuse: Refuse<'session_ended'>, profile: Profile | undefined) {
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
