import { txStatement } from '../postgres/statements.ts';
import type { Identity } from './sso-identities.ts';

/** Begins to link an identity in a session; returns when that expires, `undefined` if the session has ended. */
export const insert = txStatement.value<
  Date,
  {
    ticketHash: Buffer;
    provider: string;
    accountId: string;
    sessionId: string;
    lifetimeSeconds: number;
  }
>(`insert into identity_link (ticket_hash, provider, account_id, session_id, expires_at)
  select :ticketHash, :provider, s.account_id, s.id, now() + make_interval(secs => :lifetimeSeconds)
  from user_session s
  where s.id = :sessionId and s.account_id = :accountId and s.ended_at is null
  for share
  returning expires_at as "expiresAt"`);

/** Stores the identity of a ticket's sign-on; `false` if it is unknown, used, expired or another provider's. */
export const prove = txStatement.any<
  Identity & { ticketHash: Buffer; provider: string; codeHash: Buffer; lifetimeSeconds: number }
>(`update identity_link
  set code_hash = :codeHash, issuer = :issuer, subject = :subject,
    expires_at = now() + make_interval(secs => :lifetimeSeconds)
  where ticket_hash = :ticketHash and provider = :provider and code_hash is null and expires_at > now()
  returning ticket_hash`);

/** Uses up the code of a session; `undefined` if it is unknown, used, expired or belongs to another session. */
export const use = txStatement.row<
  Identity & { provider: string },
  { codeHash: Buffer; accountId: string; sessionId: string }
>(`delete from identity_link
  where code_hash = :codeHash and account_id = :accountId and session_id = :sessionId and expires_at > now()
  returning provider, issuer, subject`);

export const deleteOfSession = txStatement.run<[sessionId: string]>(
  'delete from identity_link where session_id = ?',
);
