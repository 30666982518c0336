import { actorOf, createStaticToken } from '@gatehouse/accounts';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { apiTokenAnswer, ApiTokenAnswer, ApiTokenRole } from './api-token-answer.ts';

export const postApiToken = route({
  method: 'post',
  path: '/admin/api-token',
  operationId: 'createApiToken',
  tag: 'API tokens',
  summary: 'Create a static API token',
  description:
    'It stands for the environment, never expires, and is shown in this answer alone. Its role is `Service` unless another is given: that invites to and takes back any content and manages persons. `Admin` may do all that administrators may.',
  access: ['Admin'],
  body: Type.Object({
    Name: Type.String({
      format: 'plain-text',
      minLength: 1,
      maxLength: 100,
      pattern: /\S/.source,
      description: 'What it is for',
    }),
    Role: Type.Optional(ApiTokenRole),
  }),
  response: Type.Object({
    ...ApiTokenAnswer.properties,
    Token: Type.String({ description: 'Sent as `Authorization: Bearer <Token>`' }),
  }),
  status: 201,
  handler: async ({ body, caller, deps, request }) => {
    const wanted = { name: body.Name, role: body.Role ?? 'Service', actor: actorOf(caller) };
    const { kept, token } = await createStaticToken(deps, wanted, request);
    return { ...apiTokenAnswer(kept), Token: token };
  },
});
