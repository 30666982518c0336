import { actorOf, changeClient } from '@gatehouse/accounts';
import { confirmationRequired, invalidRequest } from '@gatehouse/http';
import { route } from '../deps.ts';
import { clientAnswer, ClientAnswer, ClientPath, refusedClient } from './client-answer.ts';
import { ClientChange, clientFaults, fieldsOf } from './client-fields.ts';

export const patchClient = route({
  method: 'patch',
  path: '/admin/oauth-client/:id',
  operationId: 'updateOAuthClient',
  tag: 'Applications',
  summary: 'Update an application',
  description:
    'Omitted fields remain unchanged, lists are replaced. People who may no longer sign in to it are signed out of it ' +
    'before the response is sent.',
  access: ['Admin'],
  recent: {
    when:
      'the application gets an address, a scope, a grant type, a role, a group or a resource, becomes trusted, ' +
      'no longer requires a group or PKCE, or is no longer told of logouts',
  },
  params: ClientPath,
  body: ClientChange,
  response: ClientAnswer,
  errors: ['not_found', 'client_declared', 'confirmation_required'],
  handler: async ({ params, body, caller, deps, request, isConfirmed, refuse }) => {
    request.addToLog({ clientId: params.id });
    const by = { actor: actorOf(caller), origin: request, isUnproven: !(await isConfirmed()) };
    const outcome = await changeClient(
      deps,
      params.id,
      (before) => {
        const fields = fieldsOf(body, before);
        const faults = clientFaults(fields, deps, before);
        return faults.length > 0 ? faults : fields;
      },
      by,
    );
    switch (outcome.kind) {
      case 'invalid':
        throw invalidRequest(undefined, { errors: outcome.errors });
      case 'unproven':
        throw confirmationRequired(refuse);
      case 'changed':
        return clientAnswer(outcome.client);
      default:
        throw refusedClient(refuse, outcome);
    }
  },
});
