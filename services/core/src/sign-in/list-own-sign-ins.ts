import { signIns, type OwnSignIn } from '@gatehouse/db';
import { Enum, Nullable, SIGN_IN_METHODS, SIGN_IN_RESULTS, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

const SHOWN = 10;

export const listOwnSignIns = route({
  method: 'get',
  path: '/account/sign-in',
  operationId: 'listOwnSignIns',
  tag: 'Sessions',
  summary: 'List your last sign-ins',
  description:
    `The last ${SHOWN} sign-ins and refused attempts, newest first, within a few seconds. ` +
    'They are kept for `SIGN_IN_KEEP_DAYS`.',
  access: 'session',
  response: Type.Object({
    Items: Type.Array(
      Type.Object(
        {
          Id: Uuid(),
          At: Timestamp(),
          Method: Nullable(Enum(SIGN_IN_METHODS)),
          Provider: Nullable(Type.String(), { description: 'The identity provider of a sign-on' }),
          Result: Enum(SIGN_IN_RESULTS),
          // Includes reasons that a newer version recorded.
          Reason: Nullable(Type.String(), { description: 'Why it was refused, for example `password`' }),
          IpAddress: Nullable(Type.String()),
          UserAgent: Nullable(Type.String()),
        },
        { title: 'OwnSignIn' },
      ),
    ),
  }),
  handler: async ({ caller, deps }) => {
    const own = await signIns.findOwn(deps.db, caller.accountId, SHOWN);
    return { Items: own.map(ownSignInAnswer) };
  },
});

function ownSignInAnswer(signIn: OwnSignIn) {
  return {
    Id: signIn.id,
    At: signIn.at.toISOString(),
    Method: signIn.method,
    Provider: signIn.provider,
    Result: signIn.result,
    Reason: signIn.reason,
    IpAddress: signIn.ipAddress,
    UserAgent: signIn.userAgent,
  };
}
