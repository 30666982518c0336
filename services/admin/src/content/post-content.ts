import { actorOf } from '@gatehouse/accounts';
import { audit, contentDefinitions, inTransaction } from '@gatehouse/db';
import { reply } from '@gatehouse/http';
import { v7 as newId } from 'uuid';
import { route } from '../deps.ts';
import { contentAnswer, ContentAnswer, ContentBody } from './content-answer.ts';
import { lockOwner } from './owner.ts';

export const postContent = route({
  method: 'post',
  path: '/admin/content-definition',
  operationId: 'createContentDefinition',
  tag: 'Content',
  summary: 'Create content that can be shared',
  access: ['Admin'],
  body: ContentBody,
  response: ContentAnswer,
  status: 201,
  responseHeaders: { Location: 'The URL of the content' },
  handler: async ({ body, caller, deps, request }) => {
    const content = await inTransaction(deps.db, request, async (tx) => {
      const ownerId = await lockOwner(tx, body.OwnerId ?? null);
      const added = { id: newId(), name: body.Name, kind: body.Kind, ownerId };
      await contentDefinitions.insert(tx, added);
      const target = { kind: 'ContentDefinition', id: added.id } as const;
      const details = { Kind: added.kind, OwnerId: ownerId };
      await audit.append(
        tx,
        [{ action: 'content.created', actor: actorOf(caller), target, details }],
        request,
      );
      return added;
    });
    return reply({
      headers: { Location: `/admin/content-definition/${content.id}` },
      body: contentAnswer(content),
    });
  },
});
