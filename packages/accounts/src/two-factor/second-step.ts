import { LoginStatus } from '@gatehouse/schema';
import type { RequestOptionsJson, TotpSetup } from '@gatehouse/auth-core';
import { passkeys as ownPasskeys, recoveryCodes, type Account, type Transaction } from '@gatehouse/db';
import type { SecondFactorDeps } from '../deps.ts';
import { issueChallenge } from '../passkey/issue-challenge.ts';

/** The second factors that can be used after a correct password. */
export const SECOND_FACTORS = ['Totp', 'RecoveryCode', 'Passkey'] as const;
export type SecondFactorName = (typeof SECOND_FACTORS)[number];

/** The answer to a correct password if a second factor is required. */
export type SecondStep =
  | {
      LoginStatus: typeof LoginStatus.TwoFactorCodeRequired;
      TwoFactorToken: string;
      SecondFactors: SecondFactorName[];
      PasskeyOptions?: RequestOptionsJson;
    }
  | {
      LoginStatus: typeof LoginStatus.TwoFactorSetupRequired;
      TwoFactorToken: string;
      TwoFactorSetup: TotpSetup;
    };

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
  const names: [SecondFactorName, boolean][] = [
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
