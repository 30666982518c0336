import { actorOf, createContent } from '@gatehouse/accounts';
import { reply } from '@gatehouse/http';
import { route } from '../../deps.ts';
import { contentAnswer, ContentAnswer, ContentBody } from './content-answer.ts';
import { invalidOwner } from './invalid-owner.ts';

export const postContent = route({
  method: 'post',
  path: '/admin/content-definition',
  operationId: 'createContentDefinition',
  tag: 'Content',
  summary: 'Create content that can be shared',
  access: ['Admin'],
  recent: { never: 'it gives nobody access to an account' },
  body: ContentBody,
  response: ContentAnswer,
  status: 201,
  headers: { response: { Location: 'The URL of the content' } },
  handler: async ({ body, caller, deps, request }) => {
    const given = { name: body.Name, kind: body.Kind, ownerId: body.OwnerId ?? null };
    const outcome = await createContent(deps, given, { actor: actorOf(caller), origin: request });
    switch (outcome.kind) {
      case 'saved':
        return reply({
          headers: { Location: `/admin/content-definition/${outcome.content.id}` },
          body: contentAnswer(outcome.content),
        });
      case 'unfit_owner':
        throw invalidOwner();
    }
  },
});
