import { countRows } from '@gatehouse/accounts';
import { invitationAdmin } from '@gatehouse/db';
import { countFields, CountedPage, countQuery, createPaging, pagingQuery } from '@gatehouse/http';
import { Email, Type, Uuid } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { keyOfEmail } from '../../key-of-email.ts';
import { invitationAnswer, InvitationAnswer } from './invitation-answer.ts';

const paging = createPaging(Type.Object({ InvitationId: Uuid() }));

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
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    id: Type.Optional(Uuid()),
    contentDefinitionId: Type.Optional(Uuid()),
    email: Type.Optional(Email()),
    invitedBy: Type.Optional(Uuid()),
    isExpired: Type.Optional(Type.Boolean({ description: 'Whether the link has expired' })),
  }),
  response: CountedPage(InvitationAnswer),
  handler: async ({ query, deps, request }) => {
    const { id, contentDefinitionId, email, invitedBy, isExpired } = query;
    const filter = { id, contentDefinitionId, emailKey: keyOfEmail(email), invitedBy, isExpired };
    const page = { beforeId: paging.read(query.cursor)?.InvitationId, max: query.limit };
    const [{ invitations, nextBeforeId }, counted] = await Promise.all([
      invitationAdmin.findPendingPage(deps.db, filter, page),
      query.count === true ? countRows(deps, invitationAdmin.rowsOf(filter), request) : undefined,
    ]);
    return {
      Items: invitations.map(invitationAnswer),
      ...(nextBeforeId !== undefined && { NextCursor: paging.cursor({ InvitationId: nextBeforeId }) }),
      ...countFields(counted),
    };
  },
});
