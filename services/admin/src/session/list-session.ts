import { findSessions } from '@gatehouse/accounts';
import { OneOf, SessionStatus, Text, Type, Uuid } from '@gatehouse/schema';
import { createPaging, Page, pagingQuery } from '@gatehouse/http';
import { route } from '../deps.ts';
import { sessionAnswer, SessionAnswer } from './session-answer.ts';

const paging = createPaging(Type.Object({ UserSessionId: Uuid() }));

export const listSession = route({
  method: 'get',
  path: '/admin/user-session',
  operationId: 'listSessions',
  tag: 'Sessions',
  summary: 'List sessions, newest first',
  description:
    'Active ones and those that ended; every filter that is given must fit. A page may be short, or empty, and still have a `NextCursor`: only so many sessions are looked through at a time. What is watched and who is online is known at once of sessions that began within five minutes, and of others within five seconds. Invitations are no sessions: see `/admin/invitation`.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    status: Type.Optional(OneOf(SessionStatus)),
    userId: Type.Optional(Uuid()),
    search: Type.Optional(Text(100, { description: 'A part of the email or the name, whatever the case' })),
    isOnline: Type.Optional(Type.Boolean({ description: 'Pinged within ONLINE_WINDOW_SECONDS' })),
    contentDefinitionId: Type.Optional(Uuid()),
  }),
  response: Page(SessionAnswer),
  handler: async ({ query, deps }) => {
    const { status, userId, search, isOnline, contentDefinitionId, limit, cursor } = query;
    const { sessions, goOnBefore } = await findSessions(
      deps,
      {
        status,
        accountId: userId,
        search,
        isOnline,
        contentDefinitionId: contentDefinitionId?.toLowerCase(),
      },
      { beforeId: paging.read(cursor)?.UserSessionId, max: limit },
    );
    return {
      Items: sessions.map(sessionAnswer),
      ...(goOnBefore !== undefined && { NextCursor: paging.cursor({ UserSessionId: goOnBefore }) }),
    };
  },
});
