import { findStanding, STANDING_CODES, type StandingReason } from '@gatehouse/accounts';
import {
  Enum,
  Integers,
  LoginStatus,
  Nullable,
  PASSWORD_SCHEMES,
  Timestamp,
  Type,
  Uuid,
} from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { AccountPath, unknownAccount } from '../../account-answer.ts';

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

export const getStanding = route({
  method: 'get',
  path: '/admin/account/:id/standing',
  operationId: 'getAccountStanding',
  tag: 'Accounts',
  summary: 'Find out why an account cannot log in',
  description:
    '`Reasons` contains everything that applies, in the order in which a login checks it; `LoginStatus` is what ' +
    'the next login with the correct password would return. `Failures` counts failed logins (password and second ' +
    'factor) since the last successful one or the last unlock, for at most a day; until `BlockedUntil` further ' +
    'attempts are refused.',
  access: ['Admin'],
  params: AccountPath,
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
  handler: async ({ params, deps, refuse }) => {
    const standing = await findStanding(deps, params.id);
    if (standing === undefined) throw unknownAccount(refuse);
    const { loginStatus, passwordScheme } = standing;
    return {
      ...(loginStatus !== undefined && { LoginStatus: loginStatus }),
      Reasons: standing.reasons.map(reasonAnswer),
      Failures: standing.failures,
      BlockedUntil: standing.blockedUntil?.toISOString() ?? null,
      LastRefusedAt: standing.lastRefusedAt?.toISOString() ?? null,
      HasPassword: passwordScheme !== null,
      PasswordScheme: passwordScheme,
      RecoveryCodesLeft: standing.recoveryCodesLeft,
      Passkeys: standing.passkeys,
    };
  },
});

function reasonAnswer({ code, since, by }: StandingReason) {
  return { Code: code, Since: since?.toISOString() ?? null, By: by };
}
