import { computed, record, time } from '@gatehouse/kit';
import { Enum, Nullable, SIGN_IN_METHODS, SIGN_IN_RESULTS, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';

const MAX = 10;

const OwnSignIn = record(
  'sign_in',
  {
    id: Uuid(),
    at: time(),
    method: Nullable(Enum(SIGN_IN_METHODS)),
    provider: Nullable(Type.String(), { description: 'The identity provider of a sign-on' }),
    result: Enum(SIGN_IN_RESULTS),
    // Includes reasons that a newer version recorded.
    reason: Nullable(Type.String(), { description: 'Why it was refused, for example `password`' }),
    ipAddress: computed(Nullable(Type.String()), 'host(ip_address)'),
    userAgent: Nullable(Type.String()),
  },
  { name: 'OwnSignIn' },
);

export const listOwnSignIns = route('GET /account/sign-in', {
  operationId: 'listOwnSignIns',
  tag: 'Sessions',
  summary: 'List your last sign-ins',
  description:
    `The last ${MAX} sign-ins and refused attempts, newest first, within a few seconds. ` +
    'They are kept for `SIGN_IN_KEEP_DAYS`.',
  access: 'session',
  response: Type.Object({ Items: Type.Array(OwnSignIn.Answer) }),
  handler: async ({ caller, deps }) => {
    const last = 'where account_id = ? order by id desc limit ?';
    const own = await OwnSignIn.rows(deps.db, last, [caller.accountId, MAX]);
    return { Items: own.map(OwnSignIn.answer) };
  },
});
