import { isOnline, readPresence } from '@gatehouse/accounts';
import { LAST_ID, sessionsOfOwner } from '@gatehouse/db';
import { createPaging, pagingQuery } from '@gatehouse/http';
import { Integers, Nullable, Optional, SessionStatus, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { route, type Deps } from '../../deps.ts';

/** More than anyone reads; without single-session enforcement a script may open any number of sessions. */
const SESSIONS_MAX = 1000;

const paging = createPaging(Type.Object({ SessionId: Uuid() }));

const Unknown = Nullable(Type.String(), { description: 'null if unknown' });

export const listSessions = route('GET /account/session', {
  operationId: 'listOwnSessions',
  tag: 'Sessions',
  summary: 'List your sessions',
  description:
    `Lists the active sessions, at most ${SESSIONS_MAX}, or the ended ones page by page (\`ended=true\`; only then ` +
    '`limit` and `cursor` apply). The latest login comes first.',
  access: 'session',
  query: Type.Object({
    ...pagingQuery(),
    ended: Type.Boolean({ default: false, description: 'Whether to list ended sessions instead' }),
  }),
  response: Type.Object({
    Items: Type.Array(
      Type.Object(
        {
          Id: Uuid(),
          Status: Integers(SessionStatus, 'SessionStatus'),
          IsCurrent: Type.Boolean({ description: 'Whether this is the session of the request' }),
          IsOnline: Type.Boolean({ description: 'Whether it was used within ONLINE_WINDOW_SECONDS' }),
          Tag: Nullable(Type.String(), {
            description: 'The kind of device that the login named; null if none',
          }),
          DeviceName: Unknown,
          UserAgent: Unknown,
          IpAddress: Unknown,
          CreatedAt: Timestamp(),
          LastSeenAt: Timestamp(),
          EndedAt: Type.Optional(Timestamp()),
          Reason: Optional.String({
            description: 'Why it ended: an `end_reason` of sessions.md, such as `replaced`',
          }),
        },
        { title: 'OwnSession' },
      ),
    ),
    NextCursor: Optional.String(),
  }),
  handler: async ({ caller, query: { ended, limit, cursor }, deps }) => {
    if (!ended) return { Items: await activeOf(deps, caller) };
    const { SessionId: beforeId = LAST_ID } = paging.read(cursor) ?? {};
    const { accountId } = caller;
    const rows = await sessionsOfOwner.findEnded(deps.db, { accountId, beforeId, max: limit + 1 });
    return paging.page(rows, limit, { key: ({ id }) => ({ SessionId: id }), item: endedItem });
  },
});

async function activeOf(
  deps: Pick<Deps, 'db' | 'sessionCache' | 'settings'>,
  { accountId, sessionId }: { accountId: string; sessionId: string },
) {
  const sessions = await sessionsOfOwner.findActive(deps.db, accountId, SESSIONS_MAX);
  const own = sessions.map(({ id }) => ({ accountId, sessionId: id }));
  const present = await readPresence(deps, own);
  return sessions.flatMap((session) => {
    const reading = present.get(session.id);
    if (reading === undefined) return [];
    return {
      ...shownOf(session),
      Status: reading.session.status,
      IsCurrent: session.id === sessionId,
      IsOnline: isOnline(deps, reading),
      LastSeenAt: new Date(reading.session.lastSeenAt * 1000).toISOString(),
    };
  });
}

function endedItem(session: sessionsOfOwner.EndedSession) {
  return {
    ...shownOf(session),
    // The table's check constraint allows only these numbers.
    Status: session.status as SessionStatus,
    IsCurrent: false,
    IsOnline: false,
    LastSeenAt: session.lastSeenAt.toISOString(),
    EndedAt: session.endedAt.toISOString(),
    ...(session.endReason !== null && { Reason: session.endReason }),
  };
}

function shownOf(session: sessionsOfOwner.OwnSession) {
  return {
    Id: session.id,
    Tag: session.tag === '' ? null : session.tag,
    DeviceName: session.deviceName,
    UserAgent: session.userAgent,
    IpAddress: session.ipAddress,
    CreatedAt: session.createdAt.toISOString(),
  };
}
