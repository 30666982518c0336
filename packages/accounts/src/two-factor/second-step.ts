import { PasskeyRequestOptions } from '@gatehouse/auth-core';
import { Enum, Integers, LoginStatus, Type, type Static } from '@gatehouse/schema';
import { passkeys as ownPasskeys, recoveryCodes, type Account, type Transaction } from '@gatehouse/db';
import type { SecondFactorDeps } from '../deps.ts';
import { issueChallenge } from '../passkey/issue-challenge.ts';

/** The second factors that can be used after a correct password. */
const SECOND_FACTORS = ['Totp', 'RecoveryCode', 'Passkey'] as const;

const StepToken = Type.String({
  description: 'Replaces the password in the next request. Valid for five minutes and five codes.',
});

/** The responses of a login that asks for a second factor, or requires setting one up. */
export const SECOND_STEPS = [
  Type.Object(
    {
      LoginStatus: Integers({ TwoFactorCodeRequired: LoginStatus.TwoFactorCodeRequired }),
      TwoFactorToken: StepToken,
      SecondFactors: Type.Array(Enum(SECOND_FACTORS), {
        description:
          'The accepted second factors: a code from the authenticator app, a recovery code, or a passkey',
      }),
      PasskeyOptions: Type.Optional(PasskeyRequestOptions),
    },
    { title: 'TwoFactorCodeRequired' },
  ),
  Type.Object(
    {
      LoginStatus: Integers({ TwoFactorSetupRequired: LoginStatus.TwoFactorSetupRequired }),
      TwoFactorToken: StepToken,
      TwoFactorSetup: Type.Object(
        {
          Secret: Type.String({
            description: 'The secret in base 32, for manual entry in an authenticator app',
          }),
          OtpAuthUri: Type.String({ description: 'The secret as an otpauth URI, for a QR code' }),
        },
        { title: 'TwoFactorSetup' },
      ),
    },
    { title: 'TwoFactorSetupRequired' },
  ),
] as const;

export type SecondStep = Static<(typeof SECOND_STEPS)[number]>;

/** The recovery codes in the response of the login that set up the second factor. */
export const RecoveryCodes = Type.Array(Type.String(), {
  description:
    'Present if two-factor authentication has just been set up. Each code can be used once. Shown only in this ' +
    'response.',
});

/**
 * The second step of a login. The token also identifies the challenge that passkeys sign; the password was correct, so
 * the account's passkeys may be listed.
 */
export async function secondStepOf(
  { passkeys }: Pick<SecondFactorDeps, 'passkeys'>,
  tx: Transaction,
  account: Account,
  token: string,
): Promise<SecondStep> {
  const known = passkeys === undefined ? [] : await ownPasskeys.findKnown(tx, account.id);
  const names: [(typeof SECOND_FACTORS)[number], boolean][] = [
    ['Totp', account.isTwoFactorEnabled],
    ['RecoveryCode', (await recoveryCodes.countLeft(tx, account.id)) > 0],
    ['Passkey', known.length > 0],
  ];
  const step = {
    LoginStatus: LoginStatus.TwoFactorCodeRequired,
    TwoFactorToken: token,
    SecondFactors: names.flatMap(([name, isThere]) => (isThere ? [name] : [])),
  };
  if (passkeys === undefined || known.length === 0) return step;
  const { challenge } = await issueChallenge(tx, 'second-factor', account, token);
  return { ...step, PasskeyOptions: passkeys.requestOptions(challenge, known) };
}
