import { countRows } from '@gatehouse/accounts';
import { invitationAdmin } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { invitationAnswer, InvitationAnswer } from './invitation-answer.ts';
import { invitationFilters } from './invitation-filters.ts';

const paging = pagingById('InvitationId');

export const listInvitations = route({
  method: 'get',
  path: '/admin/invitation',
  operationId: 'listInvitations',
  tag: 'Invitations',
  summary: 'List pending invitations, newest first',
  description:
    'Includes invitations whose link has expired; they can be resent or deleted. With a large number of invitations, a ' +
    'page filtered by `isExpired` can contain fewer than `limit` items, or none, and still have a `NextCursor`.',
  access: ['Admin'],
  query: Type.Object({ ...pagingQuery(), ...countQuery(), ...invitationFilters.query }),
  response: CountedPage(InvitationAnswer),
  handler: ({ query, deps, request }) => {
    const filter = invitationFilters.ofQuery(query);
    return paging.answer(query, {
      find: (page) => invitationAdmin.findPendingPage(deps.db, filter, page),
      count: () => countRows(deps, invitationAdmin.rowsOf(filter), request),
      items: (rows) => rows.map(invitationAnswer),
    });
  },
});
