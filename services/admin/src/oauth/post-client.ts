import { actorOf, registerClient } from '@gatehouse/accounts';
import { invalidRequest, reply } from '@gatehouse/http';
import { route } from '../deps.ts';
import { clientAnswer, NewClientAnswer } from './client-answer.ts';
import { clientFaults, fieldsOf, NewClient, STANDARD } from './client-fields.ts';

export const postClient = route({
  method: 'post',
  path: '/admin/oauth-client',
  operationId: 'createOAuthClient',
  tag: 'Applications',
  summary: 'Register an application',
  description:
    'The `Id` is its `client_id`. The secret is shown only in this response; a public client gets none and always ' +
    'uses PKCE. `IsPublic` cannot be changed later.',
  access: ['Admin'],
  recent: true,
  body: NewClient,
  response: NewClientAnswer,
  headers: { response: { Location: 'The URL of the application' } },
  status: 201,
  handler: async ({ body, caller, deps, request }) => {
    const fields = fieldsOf(body, { ...STANDARD, name: body.Name, isPublic: body.IsPublic === true });
    const errors = clientFaults(fields, deps);
    if (errors.length > 0) throw invalidRequest(undefined, { errors });
    const by = { actor: actorOf(caller), origin: request };
    const { client, secret } = await registerClient(deps, fields, by);
    request.addToLog({ clientId: client.id });
    const answer = { ...clientAnswer(client), ...(secret !== undefined && { Secret: secret }) };
    return reply({ headers: { Location: `/admin/oauth-client/${client.id}` }, body: answer });
  },
});
