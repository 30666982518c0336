import { query, type Transaction } from '../postgres/connect.ts';
import type { Identity } from './sso-identities.ts';

/**
 * Stores that an owner has begun to link an identity in a session; returns when the link expires, or `undefined` if the
 * session has ended.
 */
export async function insert(
  tx: Transaction,
  link: {
    ticketHash: Buffer;
    provider: string;
    accountId: string;
    sessionId: string;
    lifetimeSeconds: number;
  },
) {
  const sql = `insert into identity_link (ticket_hash, provider, account_id, session_id, expires_at)
    select :ticketHash, :provider, s.account_id, s.id, now() + make_interval(secs => :lifetimeSeconds)
    from user_session s
    where s.id = :sessionId and s.account_id = :accountId and s.ended_at is null
    for share
    returning expires_at as "expiresAt"`;
  return await query.value<Date>(tx, sql, link);
}

/**
 * Stores the identity that the provider reported in the sign-on of a ticket; `false` if the ticket is unknown, used,
 * expired or belongs to another provider.
 */
export async function prove(
  tx: Transaction,
  proof: Identity & { ticketHash: Buffer; provider: string; codeHash: Buffer; lifetimeSeconds: number },
) {
  const sql = `update identity_link
    set code_hash = :codeHash, issuer = :issuer, subject = :subject,
      expires_at = now() + make_interval(secs => :lifetimeSeconds)
    where ticket_hash = :ticketHash and provider = :provider and code_hash is null and expires_at > now()
    returning ticket_hash`;
  return await query.any(tx, sql, { ...proof });
}

/** Uses up the code of a session; `undefined` if it is unknown, used, expired or belongs to another session. */
export async function use(
  tx: Transaction,
  shown: { codeHash: Buffer; accountId: string; sessionId: string },
) {
  const sql = `delete from identity_link
    where code_hash = :codeHash and account_id = :accountId and session_id = :sessionId and expires_at > now()
    returning provider, issuer, subject`;
  return await query.row<Identity & { provider: string }>(tx, sql, shown);
}

export async function deleteOfSession(tx: Transaction, sessionId: string): Promise<void> {
  await query(tx, 'delete from identity_link where session_id = ?', [sessionId]);
}
