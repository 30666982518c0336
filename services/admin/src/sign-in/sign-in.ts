import { inIndex, ordered, sieve, since, until } from '@gatehouse/db';
import { address, by, computed, moment, record, time, where } from '@gatehouse/kit';
import {
  Enum,
  NameOf,
  Nullable,
  SIGN_IN_METHODS,
  SIGN_IN_REASONS,
  SIGN_IN_RESULTS,
  Text,
  Type,
  Uuid,
} from '@gatehouse/schema';
import { list, routes } from '../deps.ts';

const SignIn = record(
  'sign_in',
  {
    id: Uuid(),
    at: time(),
    userId: computed(
      Nullable(Uuid(), { description: 'null if the attempt was for no account' }),
      's.account_id',
    ),
    email: computed(Nullable(Type.String(), { description: 'The current email of the account' }), 'a.email'),
    method: Nullable(Enum(SIGN_IN_METHODS)),
    provider: Nullable(Type.String(), { description: 'The identity provider of a sign-on' }),
    result: Enum(SIGN_IN_RESULTS),
    // Includes reasons that a newer version recorded.
    reason: Nullable(Type.String(), { description: 'Why it was refused, for example `password`' }),
    ipAddress: computed(Nullable(Type.String()), 'host(s.ip_address)'),
    userAgent: Nullable(Type.String()),
    traceId: Nullable(Type.String()),
    attempts: computed(
      Type.Integer({
        minimum: 1,
        description:
          'More than 1 with the reason `several`: further attempts from the address in that minute',
      }),
      's.count',
    ),
  },
  {
    name: 'SignIn',
    noun: 'sign-in',
    from: { tables: 'sign_in s left join account a on a.id = s.account_id', alias: 's' },
  },
);

export const signInRoutes = routes({ tag: 'Sign-ins', access: ['Admin'] }, [
  list(SignIn, 'GET /admin/sign-in', {
    summary: 'List sign-ins and refused attempts, newest first',
    description:
      'Sign-ins are recorded within a few seconds and kept for `SIGN_IN_KEEP_DAYS`. `from` (inclusive) and `to` ' +
      '(exclusive) filter by time. With several filters that rarely match together, a page can be short or empty ' +
      'and still have a `NextCursor`, because each request searches a limited number of rows.',
    filters: {
      userId: where(by(Uuid()), ordered('account_id = :userId')),
      result: by(NameOf(SIGN_IN_RESULTS)),
      reason: by(NameOf(SIGN_IN_REASONS)),
      method: where(by(NameOf(SIGN_IN_METHODS)), sieve('method = :method')),
      provider: by(Text(64)),
      ipAddress: where(address(), ordered('ip_address = cast(:ipAddress as inet)')),
      traceId: by(Text(128)),
      from: where(moment(), inIndex(since('at'))),
      to: where(moment(), inIndex(until('at'))),
    },
    selective: ['traceId', 'userId', 'ipAddress', 'reason', 'provider', 'result'],
    sieved: ['account_id', 'ip_address', 'reason', 'provider', 'result', 'method'],
  }),
]);
