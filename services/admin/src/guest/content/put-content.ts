import { actorOf, changeContent } from '@gatehouse/accounts';
import { route } from '../../deps.ts';
import { contentAnswer, ContentAnswer, ContentBody, ContentPath } from './content-answer.ts';
import { invalidOwner } from './invalid-owner.ts';

export const putContent = route({
  method: 'put',
  path: '/admin/content-definition/:id',
  operationId: 'updateContentDefinition',
  tag: 'Content',
  summary: 'Update content',
  description: 'Without `OwnerId`, the owner remains unchanged. Existing access and invitations also remain.',
  access: ['Admin'],
  recent: { never: 'it can be undone' },
  params: ContentPath,
  body: ContentBody,
  response: ContentAnswer,
  errors: ['not_found'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const change = { name: body.Name, kind: body.Kind, ownerId: body.OwnerId };
    const by = { actor: actorOf(caller), origin: request };
    const outcome = await changeContent(deps, params.id, change, by);
    switch (outcome.kind) {
      case 'saved':
        return contentAnswer(outcome.content);
      case 'unknown':
        throw refuse('not_found', 'Content not found');
      case 'unfit_owner':
        throw invalidOwner();
    }
  },
});
