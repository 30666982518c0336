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
    'The token acts for the installation, never expires, and is shown only in this response. The default role, ' +
    '`Service`, can invite to and revoke access to any content and manage persons. `Admin` has all the rights of ' +
    'an administrator.',
  access: ['Admin'],
  body: Type.Object({
    Name: Type.String({
      format: 'plain-text',
      minLength: 1,
      maxLength: 100,
      pattern: /\S/.source,
      description: 'The purpose of the token',
    }),
    Role: Type.Optional(ApiTokenRole),
  }),
  response: Type.Object({
    ...ApiTokenAnswer.properties,
    Token: Type.String({ description: 'The token. Send it as `Authorization: Bearer <Token>`.' }),
  }),
  status: 201,
  handler: async ({ body, caller, deps, request }) => {
    const wanted = { name: body.Name, role: body.Role ?? 'Service', actor: actorOf(caller) };
    const { kept, token } = await createStaticToken(deps, wanted, request);
    return { ...apiTokenAnswer(kept), Token: token };
  },
});
