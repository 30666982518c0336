import { Integers, LoginStatus, Type } from '@gatehouse/schema';
import { TokenSetAnswer } from './token-set.ts';

const TwoFactorToken = Type.String({
  description: 'Replaces the password in the next request. Valid for five minutes and five codes.',
});

const RecoveryCodes = Type.Array(Type.String(), {
  description:
    'Present if two-factor authentication has just been set up. Each code can be used once. Shown only in this response.',
});

/** What a login answers: tokens, how long the session of its cookie lives, or what is still asked for. */
export const LoginAnswer = Type.Union([
  TokenSetAnswer,
  Type.Object({ ...TokenSetAnswer.properties, RecoveryCodes }, { title: 'TokenSetWithRecoveryCodes' }),
  Type.Object(
    {
      ExpirationSeconds: Type.Integer({
        minimum: 1,
        description: 'With `Delivery: "Cookie"`: how long the session lives without a ping, in seconds',
      }),
      RecoveryCodes: Type.Optional(RecoveryCodes),
    },
    { title: 'CookieSession' },
  ),
  Type.Object(
    {
      LoginStatus: Integers({ TwoFactorCodeRequired: LoginStatus.TwoFactorCodeRequired }),
      TwoFactorToken,
    },
    { title: 'TwoFactorCodeRequired' },
  ),
  Type.Object(
    {
      LoginStatus: Integers({ TwoFactorSetupRequired: LoginStatus.TwoFactorSetupRequired }),
      TwoFactorToken,
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
]);
