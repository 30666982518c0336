import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import type { TestAdmin } from '../testing/index.ts';

/** Signs an account in to a client, as Core does; returns the client session's id. */
export async function signInTo(
  admin: TestAdmin,
  clientId: string,
  account: { id: string },
  options: { scopes?: string[]; consents?: boolean } = {},
): Promise<string> {
  const { scopes = ['openid'], consents = true } = options;
  const { sessionId } = await admin.login(account);
  const id = newId();
  await query(
    admin.app.db,
    `insert into client_session (id, client_id, account_id, session_id, scopes, refresh_current, refresh_next)
     values (?, ?, ?, ?, cast(? as text[]), '', '')`,
    [id, clientId, account.id, sessionId, scopes],
  );
  if (consents) {
    await query(
      admin.app.db,
      `insert into oauth_consent (account_id, client_id, scopes) values (?, ?, cast(? as text[]))
       on conflict do nothing`,
      [account.id, clientId, scopes],
    );
  }
  return id;
}

/** Whether a client session is stored. */
export async function isStored(admin: TestAdmin, id: string): Promise<boolean> {
  return (await query(admin.app.db, 'select id from client_session where id = ?', [id])).length === 1;
}
