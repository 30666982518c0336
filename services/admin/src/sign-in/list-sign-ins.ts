import { countRows } from '@gatehouse/accounts';
import { signIns, type SignIn } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import {
  Enum,
  NameOf,
  Nullable,
  SIGN_IN_METHODS,
  SIGN_IN_REASONS,
  SIGN_IN_RESULTS,
  Timestamp,
  Type,
  Uuid,
} from '@gatehouse/schema';
import { route } from '../deps.ts';
import { address, by, defineFilters, moment } from '@gatehouse/kit';

const paging = pagingById('SignInId');

const filters = defineFilters({
  userId: by(Uuid()),
  result: by(NameOf(SIGN_IN_RESULTS)),
  reason: by(NameOf(SIGN_IN_REASONS)),
  method: by(NameOf(SIGN_IN_METHODS)),
  provider: by(Type.String({ maxLength: 64 })),
  ipAddress: address(),
  traceId: by(Type.String({ minLength: 1, maxLength: 128 })),
  from: moment(),
  to: moment(),
});

const SignInAnswer = Type.Object(
  {
    Id: Uuid(),
    At: Timestamp(),
    UserId: Nullable(Uuid(), { description: 'null if the attempt was for no account' }),
    Email: Nullable(Type.String(), { description: 'The current email of the account' }),
    Method: Nullable(Enum(SIGN_IN_METHODS)),
    Provider: Nullable(Type.String(), { description: 'The identity provider of a sign-on' }),
    Result: Enum(SIGN_IN_RESULTS),
    // Includes reasons that a newer version recorded.
    Reason: Nullable(Type.String(), { description: 'Why it was refused, for example `password`' }),
    IpAddress: Nullable(Type.String()),
    UserAgent: Nullable(Type.String()),
    TraceId: Nullable(Type.String()),
    Attempts: Type.Integer({
      minimum: 1,
      description: 'More than 1 with the reason `several`: further attempts from the address in that minute',
    }),
  },
  { title: 'SignIn' },
);

export const listSignIns = route({
  method: 'get',
  path: '/admin/sign-in',
  operationId: 'listSignIns',
  tag: 'Sign-ins',
  summary: 'List sign-ins and refused attempts, newest first',
  description:
    'Sign-ins are recorded within a few seconds and kept for `SIGN_IN_KEEP_DAYS`. `from` (inclusive) and `to` ' +
    '(exclusive) filter by time. With several filters that rarely match together, a page can be short or empty ' +
    'and still have a `NextCursor`, because each request searches a limited number of rows.',
  access: ['Admin'],
  query: Type.Object({ ...pagingQuery(), ...countQuery(), ...filters.query }),
  response: CountedPage(SignInAnswer),
  handler: ({ query, deps, request }) => {
    const filter = filters.ofQuery(query);
    return paging.answer(query, {
      find: (page) => signIns.findNewest(deps.db, filter, page),
      count: () => countRows(deps, signIns.rowsOf(filter), request),
      items: (rows) => rows.map(signInAnswer),
    });
  },
});

function signInAnswer(signIn: SignIn) {
  return {
    Id: signIn.id,
    At: signIn.at.toISOString(),
    UserId: signIn.accountId,
    Email: signIn.email,
    Method: signIn.method,
    Provider: signIn.provider,
    Result: signIn.result,
    Reason: signIn.reason,
    IpAddress: signIn.ipAddress,
    UserAgent: signIn.userAgent,
    TraceId: signIn.traceId,
    Attempts: signIn.count,
  };
}
