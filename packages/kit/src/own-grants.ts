import { accounts, clientSessions, type Executor, type Transaction } from '@gatehouse/db';
import { Nullable, Type, Uuid } from '@gatehouse/schema';
import { computed, record, time, timeOrNull } from './record.ts';

/** What an application keeps of an account without a session, as its owner and administrators see it. */
const OwnGrant = record(
  'client_session',
  {
    id: Uuid(),
    appId: computed(Uuid(), 'cs.client_id'),
    name: computed(Type.String({ description: 'The name of the app' }), 'c.name'),
    scopes: Type.Array(Type.String(), { description: 'What it may know and do' }),
    createdAt: time(),
    lastUsedAt: time({}, 'cs.last_seen_at'),
    ipAddress: computed(
      Nullable(Type.String(), { description: 'Where it was last used' }),
      'host(cs.ip_address)',
    ),
    userAgent: Nullable(Type.String(), { description: 'The program that last used it' }),
    expiresAt: timeOrNull({ description: 'When it ends at the latest' }, 'cs.ends_at'),
  },
  {
    name: 'OwnGrant',
    from: { tables: 'client_session cs join oauth_client c on c.id = cs.client_id', alias: 'cs' },
  },
);

export const OwnGrants = Type.Object({ Items: Type.Array(OwnGrant.Answer) });

/** An account has fewer. */
const GRANTS_MAX = 200;

export async function listOwnGrants(
  { db, settings }: { db: Executor; settings: { GRANT_IDLE_SECONDS: number } },
  accountId: string,
) {
  const rows = await OwnGrant.rows(
    db,
    `where cs.account_id = :accountId and cs.session_id is null and ${clientSessions.OWN_LIVES}
       and ${clientSessions.IS_NOT_OVER}
     order by cs.last_seen_at desc, cs.id
     limit :max`,
    { accountId, grantIdleSeconds: settings.GRANT_IDLE_SECONDS, max: GRANTS_MAX },
  );
  return { Items: rows.map(OwnGrant.answer) };
}

/** Ends one of them, or all; returns how many there were. */
export async function endOwnGrants(
  tx: Transaction,
  { accountId, id = null }: { accountId: string; id?: string | null },
): Promise<number> {
  await accounts.lockById(tx, accountId);
  const ended = await clientSessions.removeOwn(tx, { accountId, id }, 'signed_out');
  // Also those that were allowed, and whose tokens nobody has fetched.
  if (id === null) await clientSessions.endOwn(tx, [accountId], 'signed_out');
  return ended;
}
