import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import type { TestAdmin } from '../testing/index.ts';

/** Signs an account in to a client, to which it consents, as Core does; returns the client session's id. */
export async function signInTo(
  admin: TestAdmin,
  clientId: string,
  { id: accountId }: { id: string },
  { isOwn = false } = {},
): Promise<string> {
  const sessionId = isOwn ? null : (await admin.login({ id: accountId })).sessionId;
  const id = newId();
  await query(
    admin.app.db,
    `with consent as (
       insert into oauth_consent (account_id, client_id, scopes) values (:accountId, :clientId, '{openid}')
       on conflict do nothing
     )
     insert into client_session (
       id, client_id, account_id, session_id, scopes, refresh_current, refresh_next, ip_address, user_agent)
     values (
       :id, :clientId, :accountId, cast(:sessionId as uuid), '{openid}', '', '',
       case when :isOwn then inet '192.0.2.7' end, case when :isOwn then 'Television/1.0' end)`,
    { id, clientId, accountId, sessionId, isOwn },
  );
  return id;
}

export async function isStored(admin: TestAdmin, id: string): Promise<boolean> {
  return query.any(admin.app.db, 'select id from client_session where id = ?', [id]);
}
