import { actorOf } from '@gatehouse/accounts';
import { audit, contentDefinitions, inTransaction, type ContentDefinition } from '@gatehouse/db';
import { route } from '../deps.ts';
import { contentAnswer, ContentAnswer, ContentBody, ContentPath } from './content-answer.ts';
import { lockOwner } from './owner.ts';

export const putContent = route({
  method: 'put',
  path: '/admin/content-definition/:id',
  operationId: 'updateContentDefinition',
  tag: 'Content',
  summary: 'Update content',
  description: 'Without `OwnerId`, the owner remains unchanged. Existing access and invitations also remain.',
  access: ['Admin'],
  params: ContentPath,
  body: ContentBody,
  response: ContentAnswer,
  errors: ['not_found'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const content = await inTransaction(deps.db, request, async (tx) => {
      const ownerId = body.OwnerId === undefined ? undefined : await lockOwner(tx, body.OwnerId);
      const before = await contentDefinitions.lockForChange(tx, params.id);
      if (before === undefined) throw refuse('not_found', 'Content not found');
      const after = {
        ...before,
        name: body.Name,
        kind: body.Kind,
        ...(ownerId !== undefined && { ownerId }),
      };
      await contentDefinitions.update(tx, after);
      const target = { kind: 'ContentDefinition', id: after.id } as const;
      const details = { Changed: changesBetween(before, after), Kind: after.kind, OwnerId: after.ownerId };
      await audit.append(
        tx,
        [{ action: 'content.changed', actor: actorOf(caller), target, details }],
        request,
      );
      return after;
    });
    return contentAnswer(content);
  },
});

function changesBetween(before: ContentDefinition, after: ContentDefinition): string[] {
  const names = { name: 'Name', kind: 'Kind', ownerId: 'OwnerId' } as const;
  return Object.entries(names).flatMap(([field, name]) => {
    // An entry's key is one of the record's own.
    const key = field as keyof typeof names;
    return before[key] === after[key] ? [] : name;
  });
}
