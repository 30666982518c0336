import { v7 as newId } from 'uuid';
import type { Services } from './services.ts';

/** Adds an application, and returns its id. */
export async function newClient({ sql }: Services): Promise<string> {
  const rows = await sql(
    `insert into oauth_client (id, name, is_public, secret_hash, redirect_uris, scopes, grant_types, is_trusted, roles)
     values (?, 'App', false, convert_to(?, 'utf8'), '{https://app.example.com}', '{openid}', '{authorization_code}',
       true, '{User}')
     returning id`,
    [newId(), newId()],
  );
  return String(rows[0]?.['id']);
}

/** Signs somebody in to an application. */
export async function newClientSession(
  { sql }: Services,
  clientId: string,
  owner: { id: string; sessionId: string },
): Promise<string> {
  const rows = await sql(
    `insert into client_session (id, client_id, account_id, session_id, scopes, refresh_current, refresh_next)
     values (?, ?, ?, ?, '{openid}', '', '') returning id`,
    [newId(), clientId, owner.id, owner.sessionId],
  );
  return String(rows[0]?.['id']);
}

/** Lets an application sign somebody in, and returns its id. */
export async function newConsent(services: Services, accountId: string): Promise<string> {
  const id = await newClient(services);
  await services.sql(
    "insert into oauth_consent (account_id, client_id, scopes) values (?, ?, '{openid}') returning client_id",
    [accountId, id],
  );
  return id;
}
