import { query, type Transaction } from '../postgres/connect.ts';
import { ordered } from '../search/filters.ts';
import { defineList } from '../search/list.ts';
import { IS_GOOD } from '../session/session-refresh.ts';
import { lockOfAccounts } from '../session/session-status.ts';
import { IS_LET_IN } from './client-sessions.ts';

/**
 * Ends the client sessions of a client, or of accounts, that the client does not let in any more: they must not revive
 * when it lets the person in again. Lock the client or the accounts first.
 */
export async function removeNotLetIn(
  tx: Transaction,
  of: { clientId: string } | { accountIds: readonly string[] },
): Promise<void> {
  const isOf =
    'clientId' in of ? 'cs.client_id = :clientId' : 'cs.account_id = any(cast(:accountIds as uuid[]))';
  if ('accountIds' in of) await lockOfAccounts(tx, of.accountIds);
  await query(
    tx,
    `with client as materialized (
       select c.* from oauth_client c
       where c.id in (select cs.client_id from client_session cs where ${isOf})
       order by c.id
       for share
     )
     delete from client_session gone
     using client_session cs
     join account a on a.id = cs.account_id
     join client c on c.id = cs.client_id
     where ${isOf} and gone.id = cs.id and not (${IS_LET_IN})`,
    of,
  );
}

/** Who is signed in to a client. */
export interface ListedClientSession {
  id: string;
  accountId: string;
  email: string;
  displayName: string | null;
  sessionId: string;
  scopes: string[];
  createdAt: Date;
  lastSeenAt: Date;
}

/** The list of client sessions that have not ended. */
export const { findNewest, rowsOf } = defineList<{ clientId?: string | undefined }, ListedClientSession>({
  table: 'client_session',
  alias: 'cs',
  select: `
    select cs.id, cs.account_id as "accountId", a.email, a.display_name as "displayName", cs.session_id as "sessionId",
      cs.scopes, cs.created_at as "createdAt", cs.last_seen_at as "lastSeenAt"
    from client_session cs join account a on a.id = cs.account_id`,
  filters: { clientId: ordered('cs.client_id = :clientId') },
  always: `exists (
    select from user_session s
    join account a on a.id = s.account_id and ${IS_GOOD}
    join oauth_client c on c.id = cs.client_id and ${IS_LET_IN}
    where s.id = cs.session_id and s.ended_at is null and s.expires_at > now())`,
  sieved: [],
});
