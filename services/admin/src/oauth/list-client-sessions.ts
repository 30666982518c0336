import { countRows } from '@gatehouse/accounts';
import { clientSessionAdmin, oauthClients } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { ClientPath, clientSessionAnswer, ClientSessionAnswer, unknownClient } from './client-answer.ts';

const paging = pagingById('OAuthClientSessionId');

export const listClientSessions = route({
  method: 'get',
  path: '/admin/oauth-client/:id/session',
  operationId: 'listOAuthClientSessions',
  tag: 'Applications',
  summary: 'List who is signed in to an application, newest first',
  description:
    'One entry for each sign-in whose session has not ended. `LastSeenAt` is the last refresh of its tokens.',
  access: ['Admin'],
  params: ClientPath,
  query: Type.Object({ ...pagingQuery(), ...countQuery() }),
  response: CountedPage(ClientSessionAnswer),
  errors: ['not_found'],
  handler: async ({ params, query, deps, request, refuse }) => {
    if ((await oauthClients.find(deps.db, params.id)) === undefined) throw unknownClient(refuse);
    const filter = { clientId: params.id };
    return paging.answer(query, {
      find: (page) => clientSessionAdmin.findNewest(deps.db, filter, page),
      count: () => countRows(deps, clientSessionAdmin.rowsOf(filter), request),
      items: (rows) => rows.map(clientSessionAnswer),
    });
  },
});
