import { oauthClients } from '@gatehouse/db';
import { route } from '../deps.ts';
import { clientAnswer, ClientAnswer, ClientPath, unknownClient } from './client-answer.ts';

export const getClient = route({
  method: 'get',
  path: '/admin/oauth-client/:id',
  operationId: 'getOAuthClient',
  tag: 'Applications',
  summary: 'Get an application',
  access: ['Admin'],
  params: ClientPath,
  response: ClientAnswer,
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const client = await oauthClients.find(deps.db, params.id);
    if (client === undefined) throw unknownClient(refuse);
    return clientAnswer(client);
  },
});
