import { Integers, LoginStatus, Type } from '@gatehouse/schema';
import { TokenSetAnswer } from './token-set.ts';

const TwoFactorToken = Type.String({
  description: 'Stands for the password in the next call, for five minutes and five codes',
});

/** What a login answers (contract 3.1): tokens, or what is still asked for. */
export const LoginAnswer = Type.Union([
  TokenSetAnswer,
  Type.Object({
    ...TokenSetAnswer.properties,
    RecoveryCodes: Type.Array(Type.String(), {
      description:
        'Two-factor was set up just now: each stands in for a code once. They are shown this once.',
    }),
  }),
  Type.Object({
    LoginStatus: Integers({ TwoFactorCodeRequired: LoginStatus.TwoFactorCodeRequired }),
    TwoFactorToken,
  }),
  Type.Object({
    LoginStatus: Integers({ TwoFactorSetupRequired: LoginStatus.TwoFactorSetupRequired }),
    TwoFactorToken,
    TwoFactorSetup: Type.Object({
      Secret: Type.String({ description: 'For typing into an authenticator app (base 32)' }),
      OtpAuthUri: Type.String({ description: 'The same for a QR code' }),
    }),
  }),
]);
