import { contentDefinitions } from '@gatehouse/db';
import { route } from '../../deps.ts';
import { contentAnswer, ContentAnswer, ContentPath } from './content-answer.ts';

export const getContent = route({
  method: 'get',
  path: '/admin/content-definition/:id',
  operationId: 'getContentDefinition',
  tag: 'Content',
  summary: 'Get content',
  access: ['Admin'],
  params: ContentPath,
  response: ContentAnswer,
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const content = await contentDefinitions.findById(deps.db, params.id);
    if (content === undefined) throw refuse('not_found', 'Content not found');
    return contentAnswer(content);
  },
});
