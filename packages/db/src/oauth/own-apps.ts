import { query, type Executor } from '../postgres/connect.ts';
import { IS_ALIVE } from '../session/session-refresh.ts';
import { IS_NOT_OVER } from './client-sessions.ts';

/** An application that a person has signed in to, or has allowed to sign them in. */
export interface OwnApp {
  clientId: string;
  name: string;
  /** What the person has granted, or what it asked for if it needs no consent. */
  scopes: string[];
  /** Null: it is trusted, and was not granted anything. */
  grantedAt: Date | null;
  signIns: number;
  /** The last refresh of a sign-in that is still alive. */
  lastUsedAt: Date | null;
}

/** A person has signed in to fewer applications than that. */
const APPS_MAX = 200;

/** The applications of a person, by name. */
export async function findOfAccount(
  executor: Executor,
  accountId: string,
  bounds: { idleSeconds: number },
): Promise<OwnApp[]> {
  return query<OwnApp>(
    executor,
    `with signed_in as (
       select cs.client_id, cs.scopes, cs.last_seen_at
       from client_session cs
       join user_session s on s.id = cs.session_id and ${IS_ALIVE} and ${IS_NOT_OVER}
       where cs.account_id = :accountId
     ),
     used as (
       select client_id, count(*)::integer as sign_ins, max(last_seen_at) as last_used_at
       from signed_in
       group by client_id
     ),
     granted as (
       select client_id, scopes, granted_at from oauth_consent where account_id = :accountId
     )
     select c.id as "clientId", c.name, granted.granted_at as "grantedAt",
       coalesce(
         granted.scopes,
         array(select distinct unnest(scopes) from signed_in where client_id = c.id)) as scopes,
       coalesce(used.sign_ins, 0) as "signIns", used.last_used_at as "lastUsedAt"
     from used
     full join granted using (client_id)
     join oauth_client c on c.id = client_id
     order by lower(c.name), c.id
     limit :appsMax`,
    { accountId, ...bounds, appsMax: APPS_MAX },
  );
}
