import { Integers, SessionStatus, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { sessionEvents } from '@gatehouse/db';
import { createPaging, pagingQuery } from '@gatehouse/http';
import { route } from '../deps.ts';

/** Numbers of Postgres that a number of JSON cannot hold. */
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
    'Returns all changes of all sessions, oldest first, in a stable order. `NextCursor` is always present: a ' +
    'client that continues from the last one misses no change and sees none twice. A change becomes visible when ' +
    'all older transactions have finished, normally at once. Pings and changes of the content being watched are ' +
    'not included.',
  access: ['Admin'],
  query: Type.Object(pagingQuery()),
  response: Type.Object({
    Items: Type.Array(
      Type.Object(
        {
          SessionId: Uuid(),
          UserId: Uuid(),
          Status: Integers(SessionStatus),
          TokenExpiresAt: Type.String({
            format: 'date-time',
            description: 'Latest expiry of access tokens issued for the session before the change',
          }),
          ChangedAt: Timestamp(),
          Reason: Type.String(),
        },
        { title: 'SessionEvent' },
      ),
    ),
    NextCursor: Type.String({ description: 'Cursor for the next request; present on the last page, too' }),
  }),
  handler: async ({ query, deps }) => {
    const from = paging.read(query.cursor) ?? BEGINNING;
    const events = await sessionEvents.findBehind(
      deps.db,
      { xact: from.Transaction, seq: from.Sequence },
      query.limit,
    );
    const last = events.at(-1);
    const next = last === undefined ? from : { Transaction: last.xact, Sequence: last.seq };
    return {
      Items: events.map((event) => ({
        SessionId: event.sessionId,
        UserId: event.accountId,
        // The table's check keeps it within the numbered set.
        Status: event.status as SessionStatus,
        TokenExpiresAt: event.tokenExpiresAt.toISOString(),
        ChangedAt: event.changedAt.toISOString(),
        Reason: event.reason,
      })),
      NextCursor: paging.cursor(next),
    };
  },
});
