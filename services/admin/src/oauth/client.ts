import { actorOf, write } from '@gatehouse/accounts';
import {
  accountAdmin,
  clientSessions,
  countRows,
  ordered,
  query,
  sessionRefresh,
  type Transaction,
} from '@gatehouse/db';
import {
  confirmationRequired,
  CountedPage,
  countQuery,
  invalidRequest,
  pagingById,
  pagingQuery,
} from '@gatehouse/http';
import {
  by,
  computed,
  endOwnGrants,
  listOwnGrants,
  OwnGrants,
  record,
  sql,
  time,
  timeOrNull,
} from '@gatehouse/kit';
import type { RowOf } from '@gatehouse/kit';
import { Nullable, Type, Uuid } from '@gatehouse/schema';
import { unknownAccount } from '../account-answer.ts';
import { changes, creates, list, one, removes, route, routes } from '../deps.ts';
import {
  Audited,
  CLIENT_CHANGE,
  clientFaults,
  differencesOf,
  documentFaults,
  NEW_CLIENT,
  raisesRights,
  settings,
  settingsOf,
  STANDARD,
} from './client-settings.ts';

const fields = {
  id: Uuid(),
  ...settings,
  documentUrl: Nullable(Type.String(), {
    description: 'Where the document is in which the application says what it is: its `client_id`',
  }),
  createdAt: time(),
  previousSecretExpiresAt: timeOrNull(
    { description: 'Until when the secret before the latest rotation works; null if it does not' },
    'case when previous_secret_expires_at > now() then previous_secret_expires_at end',
  ),
};

/** An application that signs people in through Gatehouse, without its secret. */
export const Client = record('oauth_client', fields, {
  ...{ name: 'OauthClient', title: 'OAuthClient', noun: 'application' },
  hidden: ['secretHash', 'previousSecretHash'],
});

/** Only the answer to a registration or rotation contains it. */
const Secret = Type.String({ description: 'The `client_secret`; none for a public client' });

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
const ENDS_ACCESS = { never: 'it only ends access; the next sign-in opens it again' } as const;

export const clientRoutes = routes({ tag: 'Applications', access: ['Admin'] }, [
  list(Client, 'GET /admin/oauth-client', {
    operationId: 'listOAuthClients',
    description:
      'The applications that sign people in through Gatehouse (OpenID Connect). Their secrets cannot be shown.',
    filters: { isDeclared: by(Type.Boolean(), 'Whether it comes from `OAUTH_CLIENTS`') },
    cursor: 'OAuthClientId',
  }),

  one(Client, 'GET /admin/oauth-client/:id', { operationId: 'getOAuthClient' }),

  creates(Client, 'POST /admin/oauth-client', {
    operationId: 'createOAuthClient',
    summary: 'Register an application',
    description:
      'The `Id` is its `client_id`. The secret is shown only in this response; a public client gets none and always ' +
      'uses PKCE. `IsPublic` cannot be changed later.',
    recent: true,
    body: NEW_CLIENT,
    also: { Secret: Type.Optional(Secret) },
    location: 'The URL of the application',
    run: async ({ tx, deps, id, body, request }) => {
      const client = settingsOf(body, { ...STANDARD, name: body.Name });
      const errors = clientFaults(client, deps);
      if (errors.length > 0) throw invalidRequest(undefined, { errors });
      const issued = client.isPublic ? undefined : deps.clientSecrets.issue();
      const row = await Client.insert(tx, { ...client, id, secretHash: issued?.hash ?? null });
      request.addToLog({ clientId: id });
      tx.audit('client.created', Audited.answer(row));
      return { row, ...(issued && { Secret: issued.secret }) };
    },
  }),

  changes(Client, 'PATCH /admin/oauth-client/:id', {
    operationId: 'updateOAuthClient',
    summary: 'Update an application',
    description:
      'Omitted fields remain unchanged, lists are replaced. People who may no longer sign in to it are signed out of it ' +
      'before the response is sent.',
    recent: {
      when:
        'the application gets an address, a scope, a grant type, a role, a group or a resource, becomes trusted, no ' +
        'longer requires a group, PKCE or a nonce, is no longer told of logouts, or keeps people signed in for longer',
    },
    body: CLIENT_CHANGE,
    errors: ['client_declared', 'confirmation_required'],
    run: async ({ tx, deps, id, before, body, isConfirmed, request, refuse }) => {
      request.addToLog({ clientId: id });
      if (before.isDeclared) throw refuse('client_declared');
      const after = settingsOf(body, withoutFacts(before));
      const errors = clientFaults(after, deps, before);
      const changed = differencesOf(before, after);
      if (before.documentUrl !== null) errors.push(...documentFaults(changed));
      if (errors.length > 0) throw invalidRequest(undefined, { errors });
      if (!isConfirmed && raisesRights(before, after)) throw confirmationRequired(refuse);
      if (Object.keys(changed).length === 0) return { row: before };
      const row = await Client.update(tx, id, after);
      await clientSessions.removeNotLetIn(tx, { clientId: id });
      tx.audit('client.changed', changed);
      return { row };
    },
  }),

  changes(Client, 'POST /admin/oauth-client/:id/rotate', {
    operationId: 'rotateOAuthClientSecret',
    summary: 'Replace the secret of an application',
    description:
      'The new secret is shown only in this response. The present one works for `OverlapSeconds` more; one that was ' +
      'replaced before stops working. Returns 409 for a public client.',
    recent: true,
    body: { OverlapSeconds: Type.Integer({ minimum: 0, maximum: 30 * 86_400 }) },
    also: { Secret: Type.Optional(Secret) },
    status: 201,
    errors: ['client_declared', 'conflict'],
    run: async ({ tx, deps, id, before, body: { OverlapSeconds }, request, refuse }) => {
      request.addToLog({ clientId: id });
      if (before.isDeclared) throw refuse('client_declared');
      if (before.isPublic) throw refuse('conflict', 'A public client has no secret');
      const { secret, hash } = deps.clientSecrets.issue();
      const row = await Client.update(tx, id, {
        previousSecretHash: sql`secret_hash`,
        previousSecretExpiresAt: sql`now() + make_interval(secs => ${OverlapSeconds})`,
        secretHash: hash,
      });
      tx.audit('client.rotated', { OverlapSeconds });
      return { row, Secret: secret };
    },
  }),

  removes(Client, 'DELETE /admin/oauth-client/:id', {
    operationId: 'deleteOAuthClient',
    description:
      'Everybody is signed out of it at once, and consents to it are deleted. Their sessions here continue.',
    recent: 'session',
    errors: ['client_declared'],
    run: async ({ tx, id, before, request, refuse }) => {
      request.addToLog({ clientId: id });
      if (before.isDeclared) throw refuse('client_declared');
      await removeClient(tx, id);
      tx.audit('client.deleted', { Name: before.name });
    },
  }),

  // Who is signed in to an application, and what stays signed in to an account by itself: agents and devices.
  route('GET /admin/oauth-client/:id/session', {
    operationId: 'listOAuthClientSessions',
    summary: 'List who is signed in to an application, newest first',
    description:
      'One entry for each sign-in whose session has not ended. `LastSeenAt` is the last refresh of its tokens.',
    query: Type.Object({ ...pagingQuery(), ...countQuery() }),
    response: CountedPage(ClientSession.Answer),
    errors: ['not_found'],
    handler: async ({ params, query: asked, deps, request, refuse }) => {
      if ((await Client.find(deps.db, params.id)) === undefined)
        throw refuse('not_found', 'Application not found');
      const filter = { clientId: params.id };
      return paging.answer(asked, {
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
    recent: ENDS_ACCESS,
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

  route('GET /admin/account/:id/grant', {
    operationId: 'listAccountGrants',
    summary: 'List the applications and devices that stay signed in to an account by themselves',
    description: 'Each outlives the session that it was signed in from. Last used first.',
    response: OwnGrants,
    errors: ['not_found'],
    handler: async ({ params: { id }, deps, refuse }) => {
      if ((await accountAdmin.find(deps.db, id)) === undefined) throw unknownAccount(refuse);
      return listOwnGrants(deps, id);
    },
  }),

  route('DELETE /admin/account/:id/grant/:grantId', {
    operationId: 'endAccountGrant',
    summary: 'Sign out an application or a device that stays signed in by itself',
    description: 'Its tokens stop working within a second. The account’s sessions continue.',
    recent: ENDS_ACCESS,
    errors: ['not_found'],
    handler: async ({ params: { id: accountId, grantId: id }, caller, deps, request, refuse }) => {
      await write(deps, { actor: actorOf(caller), origin: request }, async (tx) => {
        if ((await endOwnGrants(tx, { accountId, id })) === 0)
          throw refuse('not_found', 'Nothing is signed in with this ID');
      });
      return undefined;
    },
  }),

  route('DELETE /admin/account/:id/grant', {
    operationId: 'endAccountGrants',
    summary: 'Sign out all applications and devices that stay signed in to an account by themselves',
    description: 'Their tokens stop working within a second. The account’s sessions continue.',
    recent: ENDS_ACCESS,
    errors: ['not_found'],
    handler: async ({ params: { id: accountId }, caller, deps, request, refuse }) => {
      if ((await accountAdmin.find(deps.db, accountId)) === undefined) throw unknownAccount(refuse);
      await write(deps, { actor: actorOf(caller), origin: request }, (tx) => endOwnGrants(tx, { accountId }));
      return undefined;
    },
  }),
]);

function withoutFacts({ id, documentUrl, createdAt, previousSecretExpiresAt, ...set }: RowOf<typeof fields>) {
  return set;
}

/** Deletes a client with everything that it has: codes, client sessions and consents. */
export async function removeClient(tx: Transaction, id: string): Promise<void> {
  const statement = `with why as materialized (select ${clientSessions.BECAUSE})
     delete from oauth_client using why where id = :id`;
  await query(tx, statement, { id, ...clientSessions.because(tx, 'application_deleted') });
}
