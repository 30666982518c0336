import { invitationAdmin } from '@gatehouse/db';
import { Nullable, Timestamp, Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';
import { InvitationAnswer, invitationAnswer, InvitationPath } from './invitation-answer.ts';

export const getInvitation = route({
  method: 'get',
  path: '/admin/invitation/:id',
  operationId: 'getInvitation',
  tag: 'Invitations',
  summary: 'Get an invitation',
  description: 'Also returns accepted and deleted invitations, which the list does not contain.',
  access: ['Admin'],
  params: InvitationPath,
  response: Type.Object({
    ...InvitationAnswer.properties,
    AcceptedAt: Nullable(Timestamp()),
    DeletedAt: Nullable(Timestamp()),
  }),
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const invitation = await invitationAdmin.findById(deps.db, params.id);
    if (invitation === undefined) throw refuse('not_found', 'Invitation not found');
    return {
      ...invitationAnswer(invitation),
      AcceptedAt: invitation.acceptedAt?.toISOString() ?? null,
      DeletedAt: invitation.deletedAt?.toISOString() ?? null,
    };
  },
});
