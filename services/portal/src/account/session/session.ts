import { asOwner, isOnline, LOGOUT, readPresence, tagFact, write } from '@gatehouse/accounts';
import type { AccountsDeps, Origin } from '@gatehouse/accounts';
import { endOfCredential } from '@gatehouse/auth-core';
import { LAST_ID, sessionsOfOwner, userSessions } from '@gatehouse/db';
import { createPaging, eventStream, pagingQuery, replacedByOf, StreamWriter } from '@gatehouse/http';
import { Integers, Nullable, Optional, SessionStatus, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { routeOf, type Deps } from '../../deps.ts';
import type { WatchedStatus } from './session-watch.ts';

const route = routeOf({ tag: 'Sessions' });

/** More than anyone reads; without single-session enforcement a script may open any number of sessions. */
const SESSIONS_MAX = 1000;

const paging = createPaging(Type.Object({ SessionId: Uuid() }));

const Unknown = Nullable(Type.String(), { description: 'null if unknown' });

export const listSessions = route('GET /account/session', {
  operationId: 'listOwnSessions',
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

async function activeOf(deps: Deps, { accountId, sessionId }: { accountId: string; sessionId: string }) {
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

export const streamSession = route('GET /account/session/stream', {
  operationId: 'streamSession',
  summary: 'Follow the status of your session',
  description:
    'Server-sent events: `status` is sent immediately and whenever the status changes, with `PingStatus`, ' +
    '`At` and, if the session has ended, `Reason` (an error code) and `ReplacedBy`. The stream ends with ' +
    'the session, and 5 seconds after the access token expires. At most 5 streams per session, and 100 ' +
    'per account, in each process.',
  access: 'session',
  query: Type.Object({
    presence: Type.Boolean({
      default: false,
      description: 'Whether the open stream counts as a ping: it keeps the session alive and the user online',
    }),
    contentDefinitionId: Type.Optional(Uuid()),
  }),
  response: eventStream(),
  handler: ({ caller, query: { presence, contentDefinitionId }, deps }) => {
    const endsAt = endOfCredential(caller);
    const writer = new StreamWriter(() => stop());
    const stop = deps.sessionWatch.watch({
      accountId: caller.accountId,
      sessionId: caller.sessionId,
      expiresAt: endsAt === undefined ? undefined : endsAt * 1000,
      presence: presence ? { contentDefinitionId } : undefined,
      // If a slow client has not read the previous status, only the new one is still valid.
      onStatus: (status) => writer.replace(eventOf(status, deps.now())),
      onBeat: () => {
        if (writer.waiting === '') writer.put(':\n\n');
      },
      onEnd: () => writer.end(),
    });
    return writer;
  },
});

function eventOf({ status, reason, replacedBy }: WatchedStatus, now: number): string {
  const ReplacedBy = replacedByOf(replacedBy);
  const data = {
    PingStatus: status,
    ...(reason !== undefined && { Reason: reason }),
    ...(ReplacedBy !== undefined && { ReplacedBy }),
    At: new Date(now).toISOString(),
  };
  return `event: status\ndata: ${JSON.stringify(data)}\n\n`;
}

export const endSession = route('DELETE /account/session/:id', {
  operationId: 'endOwnSession',
  summary: 'End one of your sessions',
  description: 'Same as logging out of that session: its tokens stop working immediately.',
  access: 'session',
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const session = { accountId: caller.accountId, sessionId: params.id };
    if (!(await endOwnSession(deps, session, request))) throw refuse('not_found');
    return undefined;
  },
});

/** Ends one of the owner’s sessions from another one; `false` if the account has no such active session. */
export async function endOwnSession(
  deps: AccountsDeps,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  origin: Origin,
): Promise<boolean> {
  const author = { ...asOwner(accountId, origin), target: { kind: 'UserSession', id: sessionId } as const };
  return write(deps, author, async (tx) => {
    const target = { kind: 'session', sessionId, ofAccountId: accountId } as const;
    const [id] = await tx.endSessions(target, LOGOUT);
    if (id === undefined) return false;
    const [ended] = await userSessions.findStates(tx, [id]);
    tx.audit('session.ended', tagFact(ended?.tag ?? ''));
    return true;
  });
}
