import { actorOf, write } from '@gatehouse/accounts';
import { clientSessions, countRows, ordered, sessionRefresh } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { computed, record, time } from '@gatehouse/kit';
import { Nullable, Type, Uuid } from '@gatehouse/schema';
import { route, routes } from '../deps.ts';
import { Client } from './client.ts';

const ClientSession = record(
  'client_session',
  {
    id: Uuid(),
    userId: computed(Uuid(), 'cs.account_id'),
    email: computed(Type.String(), 'a.email'),
    displayName: computed(Nullable(Type.String()), 'a.display_name'),
    sessionId: computed(Uuid(), 'coalesce(cs.session_id, cs.id)'),
    isOwn: computed(
      Type.Boolean({ description: 'Whether it lives without a session' }),
      'cs.session_id is null',
    ),
    ipAddress: computed(
      Nullable(Type.String(), { description: 'Where it was last used, if it lives without a session' }),
      'host(cs.ip_address)',
    ),
    userAgent: Nullable(Type.String(), { description: 'The program that last used it, likewise' }),
    scopes: Type.Array(Type.String()),
    createdAt: time(),
    lastSeenAt: time(),
  },
  {
    name: 'OAuthClientSession',
    from: { tables: 'client_session cs join account a on a.id = cs.account_id', alias: 'cs' },
  },
);

const ofClient = ClientSession.list<{ clientId: string }>(
  { clientId: ordered('cs.client_id = :clientId') },
  {
    always: `exists (
      select from account a
      join oauth_client c on c.id = cs.client_id and ${clientSessions.IS_LET_IN}
      left join user_session s on s.id = cs.session_id
      where a.id = cs.account_id and ${sessionRefresh.IS_GOOD}
        and (cs.session_id is null or s.ended_at is null and s.expires_at > now()))`,
  },
);
const paging = pagingById('OAuthClientSessionId');
export const clientSessionRoutes = routes({ tag: 'Applications', access: ['Admin'] }, [
  route('GET /admin/oauth-client/:id/session', {
    operationId: 'listOAuthClientSessions',
    summary: 'List who is signed in to an application, newest first',
    description:
      'One entry for each sign-in whose session has not ended. `LastSeenAt` is the last refresh of its tokens.',
    query: Type.Object({ ...pagingQuery(), ...countQuery() }),
    response: CountedPage(ClientSession.Answer),
    errors: ['not_found'],
    handler: async ({ params, query, deps, request, refuse }) => {
      if ((await Client.find(deps.db, params.id)) === undefined)
        throw refuse('not_found', 'Application not found');
      const filter = { clientId: params.id };
      return paging.answer(query, {
        find: (page) => ofClient.findNewest(deps.db, filter, page),
        count: () => countRows(deps, ofClient.rowsOf(filter), request),
        items: (rows) => rows.map(ClientSession.answer),
      });
    },
  }),

  route('DELETE /admin/oauth-client/:id/session/:sessionId', {
    operationId: 'endOAuthClientSession',
    summary: 'Sign somebody out of an application',
    description: 'Its tokens stop working at once. The person’s sessions here continue.',
    recent: { never: 'it only ends access; the next sign-in opens it again' },
    errors: ['not_found'],
    handler: async ({ params: { id, sessionId }, caller, deps, request, refuse }) => {
      await write(deps, { actor: actorOf(caller), origin: request }, async (tx) => {
        const which = { id: sessionId, clientId: id, reason: 'signed_out' } as const;
        if ((await clientSessions.removeOfClient(tx, which)) === undefined)
          throw refuse('not_found', 'Nobody is signed in with this ID');
      });
      return undefined;
    },
  }),
]);
