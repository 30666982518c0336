import { contentDefinitions } from '@gatehouse/db';
import { ApiError } from '@gatehouse/http';
import { route } from '../deps.ts';
import { contentAnswer, ContentAnswer, ContentBody, ContentPath } from './content-answer.ts';
import { readOwner } from './owner.ts';

export const putContent = route({
  method: 'put',
  path: '/admin/content-definition/:id',
  summary: 'Change content',
  description: 'Without an `OwnerId` the owner stays. Access that was given and invitations stay too.',
  access: ['Admin'],
  params: ContentPath,
  body: ContentBody,
  response: ContentAnswer,
  errors: ['not_found'],
  handler: async ({ params, body, deps }) => {
    const before = await contentDefinitions.findById(deps.db, params.id);
    if (before === undefined) throw new ApiError('not_found', 'There is no such content');
    const ownerId = body.OwnerId === undefined ? before.ownerId : await readOwner(deps, body.OwnerId);
    const content = { id: before.id, name: body.Name, kind: body.Kind, ownerId };
    const isThere = await contentDefinitions.update(deps.db, content);
    if (!isThere) throw new ApiError('not_found', 'There is no such content');
    return contentAnswer(content);
  },
});
