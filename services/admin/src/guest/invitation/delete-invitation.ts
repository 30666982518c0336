import { actorOf, deleteInvitation as deletePendingInvitation } from '@gatehouse/accounts';
import { route } from '../../deps.ts';
import { InvitationPath } from './invitation-answer.ts';

export const deleteInvitation = route({
  method: 'delete',
  path: '/admin/invitation/:id',
  operationId: 'deleteInvitation',
  tag: 'Invitations',
  summary: 'Delete a pending invitation',
  description:
    'Its link stops working. A guest without any remaining content is expired or removed ' +
    '(`GUEST_WITHOUT_CONTENT`). Returns 404 if the invitation has been accepted or deleted.',
  access: ['Admin'],
  recent: { never: 'the guest can be invited again' },
  params: InvitationPath,
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const isDeleted = await deletePendingInvitation(deps, params.id, actorOf(caller), request);
    if (!isDeleted) throw refuse('not_found', 'Pending invitation not found');
    return undefined;
  },
});
