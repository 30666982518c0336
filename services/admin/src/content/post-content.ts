import { contentDefinitions } from '@gatehouse/db';
import { reply } from '@gatehouse/http';
import { v7 as newId } from 'uuid';
import { route } from '../deps.ts';
import { contentAnswer, ContentAnswer, ContentBody } from './content-answer.ts';
import { readOwner } from './owner.ts';

export const postContent = route({
  method: 'post',
  path: '/admin/content-definition',
  summary: 'Add content that can be shared',
  access: ['Admin'],
  body: ContentBody,
  response: ContentAnswer,
  status: 201,
  handler: async ({ body, deps }) => {
    const ownerId = await readOwner(deps, body.OwnerId ?? null);
    const content = { id: newId(), name: body.Name, kind: body.Kind, ownerId };
    await contentDefinitions.insert(deps.db, content);
    return reply({
      headers: { Location: `/admin/content-definition/${content.id}` },
      body: contentAnswer(content),
    });
  },
});
