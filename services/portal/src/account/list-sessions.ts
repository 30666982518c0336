import { isOnline, readPresence } from '@gatehouse/accounts';
import { Integers, Nullable, SessionStatus, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { ownSessions } from '@gatehouse/db';
import { route } from '../deps.ts';

/** More than anybody looks through; without single-session enforcement a script may log in without end. */
const SESSIONS_MAX = 1000;

const Unknown = Nullable(Type.String(), { description: 'null if unknown' });

export const listSessions = route({
  method: 'get',
  path: '/account/session',
  operationId: 'listOwnSessions',
  tag: 'Sessions',
  summary: 'List your active sessions',
  description: `Newest first, at most ${SESSIONS_MAX}.`,
  access: 'session',
  response: Type.Object({
    Items: Type.Array(
      Type.Object({
        Id: Uuid(),
        Status: Integers(SessionStatus),
        IsCurrent: Type.Boolean({ description: 'Whether this is the session of the request' }),
        IsOnline: Type.Boolean({ description: 'Whether it was seen within ONLINE_WINDOW_SECONDS' }),
        DeviceName: Unknown,
        UserAgent: Unknown,
        IpAddress: Unknown,
        CreatedAt: Timestamp(),
        LastSeenAt: Timestamp(),
      }),
    ),
  }),
  handler: async ({ caller, deps }) => {
    const { accountId } = caller;
    const sessions = await ownSessions.findActive(deps.db, accountId, SESSIONS_MAX);
    const present = await readPresence(
      deps,
      sessions.map(({ id }) => ({ accountId, sessionId: id })),
    );
    const Items = sessions.flatMap((session) => {
      const reading = present.get(session.id);
      if (reading === undefined) return [];
      return {
        Id: session.id,
        Status: reading.session.status,
        IsCurrent: session.id === caller.sessionId,
        IsOnline: isOnline(deps, reading),
        DeviceName: session.deviceName,
        UserAgent: session.userAgent,
        IpAddress: session.ipAddress,
        CreatedAt: session.createdAt.toISOString(),
        LastSeenAt: new Date(reading.session.lastSeenAt * 1000).toISOString(),
      };
    });
    return { Items };
  },
});
