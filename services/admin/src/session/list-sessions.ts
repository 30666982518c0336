import { countSessions, findSessions } from '@gatehouse/accounts';
import { OneOf, SessionStatus, Text, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { route } from '../deps.ts';
import { readMoment } from '../read-moment.ts';
import { EndReasons, readEndReasons } from './read-end-reasons.ts';
import { readNetwork } from './read-network.ts';
import { sessionAnswer, SessionAnswer } from './session-answer.ts';

const paging = createPaging(Type.Object({ UserSessionId: Uuid() }));

export const listSessions = route({
  method: 'get',
  path: '/admin/user-session',
  operationId: 'listSessions',
  tag: 'Sessions',
  summary: 'List sessions, newest first',
  description:
    'Includes active and ended sessions; filters are combined with AND. A page can be short or empty and ' +
    'still have a `NextCursor`. Invitations are not sessions; see `/admin/invitation`.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    status: Type.Optional(OneOf(SessionStatus)),
    userId: Type.Optional(Uuid()),
    search: Type.Optional(
      Text(100, {
        description:
          'Matches part of the email address or name, case-insensitively (with one or two letters only the ' +
          'beginning of the email address or of a word in the name), or the ID of the session or of its account',
      }),
    ),
    isOnline: Type.Optional(
      Type.Boolean({ description: 'Whether the session was pinged within ONLINE_WINDOW_SECONDS' }),
    ),
    contentDefinitionId: Type.Optional(Uuid()),
    ipAddress: Type.Optional(
      Text(50, { description: 'The address at login, or a network such as 192.0.2.0/24' }),
    ),
    ssoProvider: Type.Optional(Text(32)),
    deviceName: Type.Optional(Text(100, { description: 'The complete name' })),
    endReason: Type.Optional(EndReasons()),
    createdFrom: Type.Optional(Timestamp()),
    createdTo: Type.Optional(Timestamp()),
    endedFrom: Type.Optional(Timestamp()),
    endedTo: Type.Optional(Timestamp()),
    lastSeenBefore: Type.Optional(Timestamp()),
  }),
  response: CountedPage(SessionAnswer),
  handler: async ({ query, deps, request }) => {
    const { userId, limit, cursor, count, endReason, ...named } = query;
    const filter = {
      ...named,
      accountId: userId,
      ipAddress: readNetwork(named.ipAddress, '/query/ipAddress'),
      endReasons: readEndReasons(endReason, '/query/endReason'),
      createdFrom: readMoment(named.createdFrom, '/query/createdFrom'),
      createdTo: readMoment(named.createdTo, '/query/createdTo'),
      endedFrom: readMoment(named.endedFrom, '/query/endedFrom'),
      endedTo: readMoment(named.endedTo, '/query/endedTo'),
      lastSeenBefore: readMoment(named.lastSeenBefore, '/query/lastSeenBefore'),
    };
    const page = { beforeId: paging.read(cursor)?.UserSessionId, max: limit };
    const [{ sessions, nextBeforeId }, counted] = await Promise.all([
      findSessions(deps, filter, page),
      count === true ? countSessions(deps, filter, request) : undefined,
    ]);
    return {
      Items: sessions.map(sessionAnswer),
      ...(nextBeforeId !== undefined && { NextCursor: paging.cursor({ UserSessionId: nextBeforeId }) }),
      ...countFields(counted),
    };
  },
});
