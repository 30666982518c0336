import { actorOf, deleteContent as deleteContentDefinition } from '@gatehouse/accounts';
import { ApiError } from '@gatehouse/http';
import { route } from '../deps.ts';
import { ContentPath } from './content-answer.ts';

export const deleteContent = route({
  method: 'delete',
  path: '/admin/content-definition/:id',
  operationId: 'deleteContentDefinition',
  tag: 'Content',
  summary: 'Delete content with every access and invitation to it',
  description:
    'The sessions of its guests end; a guest without any content left is expired or removed (`GUEST_WITHOUT_CONTENT`).',
  access: ['Admin'],
  params: ContentPath,
  errors: ['not_found'],
  handler: async ({ params, caller, deps, request }) => {
    const isDeleted = await deleteContentDefinition(deps, params.id, actorOf(caller), request);
    if (!isDeleted) throw new ApiError('not_found', 'There is no such content');
    return undefined;
  },
});
