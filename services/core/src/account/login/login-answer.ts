import { RecoveryCodes, SECOND_STEPS } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { TokenSetAnswer } from './token-set.ts';

/** The response of a login: tokens, the lifetime of the cookie's session, or the next step. */
export const LoginAnswer = Type.Union([
  TokenSetAnswer,
  Type.Object({ ...TokenSetAnswer.properties, RecoveryCodes }, { title: 'TokenSetWithRecoveryCodes' }),
  Type.Object(
    {
      ExpirationSeconds: Type.Integer({
        minimum: 1,
        description: 'With `Delivery: "Cookie"`: how long the session lasts without a ping, in seconds',
      }),
      RecoveryCodes: Type.Optional(RecoveryCodes),
    },
    { title: 'CookieSession' },
  ),
  ...SECOND_STEPS,
]);
