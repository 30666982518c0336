import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** The scopes that a person has granted to a client; none: no consent. */
export async function findScopes(
  executor: Executor,
  { accountId, clientId }: { accountId: string; clientId: string },
): Promise<string[]> {
  const [row] = await query<{ scopes: string[] }>(
    executor,
    'select scopes from oauth_consent where account_id = ? and client_id = ?',
    [accountId, clientId],
  );
  return row?.scopes ?? [];
}

/** Grants scopes, besides those that were granted before. `false`: all of them were. */
export async function grant(
  tx: Transaction,
  consent: { accountId: string; clientId: string; scopes: readonly string[] },
): Promise<boolean> {
  const rows = await query(
    tx,
    `insert into oauth_consent as given (account_id, client_id, scopes)
     values (:accountId, :clientId, cast(:scopes as text[]))
     on conflict (account_id, client_id) do update
     set scopes = array(select unnest(given.scopes) union select unnest(excluded.scopes)), granted_at = now()
     where not given.scopes @> excluded.scopes
     returning 1`,
    consent,
  );
  return rows.length > 0;
}

/**
 * Withdraws what a person has granted to a client, and signs the person out there, in all sessions. `false`: there was
 * nothing to withdraw. Lock the account first.
 */
export async function withdraw(
  tx: Transaction,
  consent: { accountId: string; clientId: string },
): Promise<boolean> {
  const rows = await query(
    tx,
    `with client as materialized (
       select id from oauth_client where id = :clientId for key share
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
     select 1 from consent union all select 1 from code union all select 1 from signed_in`,
    consent,
  );
  return rows.length > 0;
}
