import { asOwner, write } from '@gatehouse/accounts';
import { accounts, clientSessions, query, statement, type Transaction } from '@gatehouse/db';
import { computed, endOwnGrants, listOwnGrants, OwnGrants, record, timeOrNull } from '@gatehouse/kit';
import type { RowOf } from '@gatehouse/kit';
import { Type, Uuid } from '@gatehouse/schema';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Applications', access: 'session' });

const fields = {
  id: computed(Uuid(), 'c.id'),
  name: computed(Type.String(), 'c.name'),
  /** What the person has granted, or what it asked for if it needs no consent. */
  scopes: computed(
    Type.Array(Type.String(), { description: 'What it may know and do' }),
    `coalesce(
      granted.scopes,
      array(select distinct unnest(scopes) from signed_in where client_id = c.id))`,
  ),
  grantedAt: timeOrNull(
    { description: 'When you allowed it; null for an app that needs no consent' },
    'granted.granted_at',
  ),
  signIns: computed(
    Type.Integer({ description: 'How often you are signed in to it now' }),
    'coalesce(used.sign_ins, 0)',
  ),
  /** The last refresh of a sign-in that is still alive. */
  lastUsedAt: timeOrNull({ description: 'null if you are not signed in to it' }, 'used.last_used_at'),
};

/** An application that a person has signed in to, or has allowed to sign them in. */
const OwnApp = record('oauth_client', fields, { name: 'OwnApp' });

export const ownAppRoutes = [
  route('GET /account/app', {
    operationId: 'listOwnApps',
    summary: 'List the apps that you sign in to',
    description:
      'Apps that you are signed in to with this account, and those that you have allowed to sign you in.',
    response: Type.Object({ Items: Type.Array(OwnApp.Answer) }),
    handler: async ({ caller: { accountId }, deps }) => {
      const { SESSION_IDLE_SECONDS: idleSeconds, GRANT_IDLE_SECONDS: grantIdleSeconds } = deps.settings;
      const own = await findOfAccount(deps.db, { accountId, idleSeconds, grantIdleSeconds });
      return { Items: own.map(OwnApp.answer) };
    },
  }),

  route('DELETE /account/app/:id', {
    operationId: 'removeOwnApp',
    summary: 'Remove an app from your account',
    description:
      'Takes back what you have allowed it, and signs you out of it in all your sessions. Its tokens stop working within a second.',
    errors: ['not_found'],
    handler: async ({ params: { id }, caller: { accountId }, deps, request, refuse }) => {
      const target = { kind: 'OauthClient', id } as const;
      return write(deps, { ...asOwner(accountId, request), target }, async (tx) => {
        // A sign-in in progress holds this lock: it is removed, too.
        await accounts.lockById(tx, accountId);
        if (!(await withdrawConsent(tx, { accountId, clientId: id })))
          throw refuse('not_found', 'App not found');
        tx.audit('consent.withdrawn');
        return undefined;
      });
    },
  }),

  route('GET /account/grant', {
    operationId: 'listOwnGrants',
    summary: 'List the apps and devices that stay signed in by themselves',
    description:
      'Each outlives the session that it was signed in from, until it is ended or not used any more.',
    response: OwnGrants,
    handler: ({ caller: { accountId }, deps }) => listOwnGrants(deps, accountId),
  }),

  route('DELETE /account/grant/:id', {
    operationId: 'endOwnGrant',
    summary: 'Sign out an app or a device that stays signed in by itself',
    description: 'Its tokens stop working within a second. What you have allowed the app remains.',
    errors: ['not_found'],
    handler: async ({ params: { id }, caller: { accountId }, deps, request, refuse }) => {
      await write(deps, asOwner(accountId, request), async (tx) => {
        if ((await endOwnGrants(tx, { accountId, id })) === 0) throw refuse('not_found', 'App not found');
      });
      return undefined;
    },
  }),

  route('DELETE /account/grant', {
    operationId: 'endOwnGrants',
    summary: 'Sign out all apps and devices that stay signed in by themselves',
    description: 'Their tokens stop working within a second.',
    handler: async ({ caller: { accountId }, deps, request }) => {
      await write(deps, asOwner(accountId, request), (tx) => endOwnGrants(tx, { accountId }));
      return undefined;
    },
  }),
];

/** A person has signed in to fewer applications than that. */
const APPS_MAX = 200;

const findOfAccount = statement.rows<
  RowOf<typeof fields>,
  { accountId: string; idleSeconds: number; grantIdleSeconds: number }
>(`with signed_in as (
    select cs.client_id, cs.scopes, cs.last_seen_at
    from client_session cs
    left join user_session s on s.id = cs.session_id
    where cs.account_id = :accountId and ${clientSessions.LIVES} and ${clientSessions.IS_NOT_OVER}
  ),
  used as (
    select client_id, count(*)::integer as sign_ins, max(last_seen_at) as last_used_at
    from signed_in
    group by client_id
  ),
  granted as (
    select client_id, scopes, granted_at from oauth_consent where account_id = :accountId
  )
  select ${OwnApp.columns}
  from used
  full join granted using (client_id)
  join oauth_client c on c.id = client_id
  order by lower(c.name), c.id
  limit ${APPS_MAX}`);

/** Also signs the person out there, in all sessions. `false`: there was nothing to withdraw. Lock the account first. */
export async function withdrawConsent(tx: Transaction, consent: { accountId: string; clientId: string }) {
  const sql = `with client as materialized (
      select id, ${clientSessions.BECAUSE} from oauth_client where id = :clientId for key share
    ),
    consent as (
      delete from oauth_consent using client where account_id = :accountId and client_id = client.id returning 1
    ),
    code as (
      delete from oauth_code using client where account_id = :accountId and client_id = client.id returning 1
    ),
    signed_in as (
      delete from client_session using client where account_id = :accountId and client_id = client.id returning 1
    )
    select 1 from consent union all select 1 from code union all select 1 from signed_in`;
  return await query.any(tx, sql, { ...consent, ...clientSessions.because(tx, 'consent_withdrawn') });
}
