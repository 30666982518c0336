import { query, type Transaction } from '../postgres/connect.ts';
import { lockOfAccounts } from '../session/user-sessions.ts';
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
