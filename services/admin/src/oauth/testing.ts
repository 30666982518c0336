import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import type { TestAdmin } from '../testing/index.ts';

/** Signs an account in to a client, as Core does; returns the client session's id. */
export async function signInTo(
  admin: TestAdmin,
  clientId: string,
  account: { id: string },
  options: { scopes?: string[]; consents?: boolean; isOwn?: boolean } = {},
): Promise<string> {
  const { scopes = ['openid'], consents = true, isOwn = false } = options;
  const sessionId = isOwn ? null : (await admin.login(account)).sessionId;
  const id = newId();
  await query(
    admin.app.db,
    `insert into client_session (
       id, client_id, account_id, session_id, scopes, refresh_current, refresh_next, ip_address, user_agent)
     values (
       :id, :clientId, :accountId, cast(:sessionId as uuid), cast(:scopes as text[]), '', '',
       case when :isOwn then inet '192.0.2.7' end, case when :isOwn then 'Television/1.0' end)`,
    { id, clientId, accountId: account.id, sessionId, scopes, isOwn },
  );
  if (consents) {
    const insertOauthConsent = `insert into oauth_consent (account_id, client_id, scopes)
      values (?, ?, cast(? as text[]))
       on conflict do nothing`;
    await query(admin.app.db, insertOauthConsent, [account.id, clientId, scopes]);
  }
  return id;
}

export async function isStored(admin: TestAdmin, id: string): Promise<boolean> {
  return (await query(admin.app.db, 'select id from client_session where id = ?', [id])).length === 1;
}
