import { actorOf, deleteContent as deleteContentDefinition } from '@gatehouse/accounts';
import { route } from '../../deps.ts';
import { ContentPath } from './content-answer.ts';

export const deleteContent = route({
  method: 'delete',
  path: '/admin/content-definition/:id',
  operationId: 'deleteContentDefinition',
  tag: 'Content',
  summary: 'Delete content',
  description:
    'Also deletes all access and invitations to it and ends the sessions of its guests. A guest without any ' +
    'remaining content is expired or removed (`GUEST_WITHOUT_CONTENT`).',
  access: ['Admin'],
  recent: 'session',
  params: ContentPath,
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const isDeleted = await deleteContentDefinition(deps, params.id, actorOf(caller), request);
    if (!isDeleted) throw refuse('not_found', 'Content not found');
    return undefined;
  },
});
