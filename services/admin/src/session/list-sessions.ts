import { countSessions, findSessions } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { route } from '../deps.ts';
import { sessionAnswer, SessionAnswer } from './session-answer.ts';
import { sessionFilters } from './session-filters.ts';

const paging = pagingById('UserSessionId');

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
  query: Type.Object({ ...pagingQuery(), ...countQuery(), ...sessionFilters.query }),
  response: CountedPage(SessionAnswer),
  handler: ({ query, deps, request }) => {
    const filter = sessionFilters.ofQuery(query);
    return paging.answer(query, {
      find: (page) => findSessions(deps, filter, page),
      count: () => countSessions(deps, filter, request),
      items: (rows) => rows.map(sessionAnswer),
    });
  },
});
