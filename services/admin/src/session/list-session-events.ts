import { Integers, SessionStatus, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { countRows } from '@gatehouse/accounts';
import { sessionEvents } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { route } from '../deps.ts';

/** 64-bit numbers of Postgres, which JSON numbers cannot represent. */
const Digits = Type.String({ pattern: /^[0-9]{1,19}$/.source });
const paging = createPaging(Type.Object({ Transaction: Digits, Sequence: Digits }));
const BEGINNING = { Transaction: '0', Sequence: '0' };

export const listSessionEvents = route({
  method: 'get',
  path: '/admin/session-event',
  operationId: 'listSessionEvents',
  tag: 'Sessions',
  summary: 'List session changes',
  description:
    'Returns all changes of all sessions, oldest first, in a stable order. `NextCursor` is always ' +
    'present: a client that continues from the last one misses no change and sees none twice. Pings and ' +
    'changes of the content being watched are not included.',
  access: ['Admin'],
  query: Type.Object({ ...pagingQuery(), ...countQuery() }),
  response: Type.Object({
    ...CountedPage(
      Type.Object(
        {
          SessionId: Type.String({
            format: 'uuid',
            description: 'The session, or an application’s part of one (`client_session`)',
          }),
          UserId: Uuid(),
          Status: Integers(SessionStatus, 'SessionStatus'),
          TokenExpiresAt: Type.String({
            format: 'date-time',
            description: 'Latest expiry of access tokens issued for the session before the change',
          }),
          ChangedAt: Timestamp(),
          Reason: Type.String(),
        },
        { title: 'SessionEvent' },
      ),
    ).properties,
    NextCursor: Type.String({ description: 'Cursor for the next request; present on the last page, too' }),
  }),
  handler: async ({ query, deps, request }) => {
    const from = paging.read(query.cursor) ?? BEGINNING;
    const position = { xact: from.Transaction, seq: from.Sequence };
    const [events, counted] = await Promise.all([
      sessionEvents.findBehind(deps.db, position, query.limit),
      query.count === true ? countRows(deps, sessionEvents.rowsOf(), request) : undefined,
    ]);
    const last = events.at(-1);
    const next = last === undefined ? from : { Transaction: last.xact, Sequence: last.seq };
    return {
      Items: events.map((event) => ({
        SessionId: event.sessionId,
        UserId: event.accountId,
        // The table's check constraint allows only these numbers.
        Status: event.status as SessionStatus,
        TokenExpiresAt: event.tokenExpiresAt.toISOString(),
        ChangedAt: event.changedAt.toISOString(),
        Reason: event.reason,
      })),
      NextCursor: paging.cursor(next),
      ...countFields(counted),
    };
  },
});
