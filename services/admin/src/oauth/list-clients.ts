import { countRows } from '@gatehouse/accounts';
import { oauthClients } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { clientAnswer, ClientAnswer } from './client-answer.ts';

const paging = pagingById('OAuthClientId');

export const listClients = route({
  method: 'get',
  path: '/admin/oauth-client',
  operationId: 'listOAuthClients',
  tag: 'Applications',
  summary: 'List applications, newest first',
  description:
    'The applications that sign people in through Gatehouse (OpenID Connect). Their secrets cannot be shown.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    isDeclared: Type.Optional(Type.Boolean({ description: 'Whether it comes from `OAUTH_CLIENTS`' })),
  }),
  response: CountedPage(ClientAnswer),
  handler: ({ query, deps, request }) => {
    const { isDeclared } = query;
    return paging.answer(query, {
      find: (page) => oauthClients.findNewest(deps.db, { isDeclared }, page),
      count: () => countRows(deps, oauthClients.rowsOf({ isDeclared }), request),
      items: (rows) => rows.map(clientAnswer),
    });
  },
});
