import { invitationAdmin } from '@gatehouse/db';
import { createPaging, Page, pagingQuery } from '@gatehouse/http';
import { Email, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { keyOfEmail } from '../key-of-email.ts';
import { invitationAnswer, InvitationAnswer } from './invitation-answer.ts';

const paging = createPaging(Type.Object({ InvitationId: Uuid() }));

export const listInvitations = route({
  method: 'get',
  path: '/admin/invitation',
  operationId: 'listInvitations',
  tag: 'Invitations',
  summary: 'List pending invitations, newest first',
  description: 'Includes invitations whose link has expired; they can be resent or deleted.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    contentDefinitionId: Type.Optional(Uuid()),
    email: Type.Optional(Email()),
  }),
  response: Page(InvitationAnswer),
  handler: async ({ query, deps }) => {
    const rows = await invitationAdmin.findNewestPending(deps.db, {
      contentDefinitionId: query.contentDefinitionId,
      emailKey: keyOfEmail(query.email),
      beforeId: paging.read(query.cursor)?.InvitationId,
      max: query.limit + 1,
    });
    const key = ({ id }: { id: string }) => ({ InvitationId: id });
    return paging.page(rows, query.limit, { key, item: invitationAnswer });
  },
});
