import { query, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

/**
 * Codes that become a session in a browser, in a table for each service that may accept them (decision 40): its database
 * role is what keeps another service from adding one.
 */
export type CodeTable = 'handover_code' | 'console_code';

/** What a code of the console is for: to open the console in an app's session, or to confirm a session's owner. */
export type ConsoleCodePurpose = 'hand-over' | 'confirmation';

interface NewCode {
  codeHash: Buffer;
  accountId: string;
  /** When the cookie for it expires, if before its session; epoch seconds. */
  endsAt: number | undefined;
  lifetimeSeconds: number;
}

/** Stores a code of an active session; returns when it expires, or `undefined` if the session has ended. */
export const insertForPages = txStatement.value<
  Date,
  NewCode & {
    sessionId: string;
    codeChallenge: string | undefined;
  }
>(`insert into handover_code (code_hash, account_id, session_id, code_challenge, ends_at, expires_at)
  select
    :codeHash, s.account_id, s.id, :codeChallenge, to_timestamp(:endsAt),
    least(now() + make_interval(secs => :lifetimeSeconds), to_timestamp(:endsAt))
  from user_session s
  where s.id = :sessionId and s.account_id = :accountId and s.ended_at is null
  for share
  returning expires_at as "expiresAt"`);

/** The same for the console; a code that confirms an owner has no session. */
export const insertForConsole = txStatement.value<
  Date,
  NewCode & { purpose: ConsoleCodePurpose; sessionId: string | undefined }
>(`insert into console_code (code_hash, purpose, account_id, session_id, ends_at, expires_at)
  select
    :codeHash, :purpose, cast(:accountId as uuid), cast(:sessionId as uuid), to_timestamp(:endsAt),
    least(now() + make_interval(secs => :lifetimeSeconds), to_timestamp(:endsAt))
  where cast(:sessionId as uuid) is null
    or exists (select from user_session s where s.id = :sessionId and s.ended_at is null for share)
  returning expires_at as "expiresAt"`);

const COLUMNS = `account_id as "accountId", session_id as "sessionId", extract(epoch from ends_at)::float as "endsAt",
  expires_at > now() as "isValid"`;

/** A stored code; used and expired ones are found until they are deleted. */
export interface SessionCode {
  accountId: string;
  sessionId: string | null;
  endsAt: number | null;
  isValid: boolean;
}

export const findForPages = statement.row<SessionCode & { codeChallenge: string | null }, [codeHash: Buffer]>(
  `select ${COLUMNS}, code_challenge as "codeChallenge" from handover_code where code_hash = ?`,
);

export const findForConsole = statement.row<SessionCode, [codeHash: Buffer, purpose: ConsoleCodePurpose]>(
  `select ${COLUMNS} from console_code where code_hash = ? and purpose = ?`,
);

/** Uses up a code; `false` if another request used it first, or it has expired. */
export async function use(tx: Transaction, table: CodeTable, codeHash: Buffer) {
  const sql = `update ${table} set expires_at = '-infinity' where code_hash = ? and expires_at > now() returning account_id`;
  return await query.any(tx, sql, [codeHash]);
}

export const invalidateConfirmations = txStatement.run<[accountId: string]>(`update console_code
  set expires_at = '-infinity'
  where account_id = ? and purpose = 'confirmation' and expires_at > now()`);

export const insertForGuest = txStatement.run<{
  codeHash: Buffer;
  accountId: string;
  lifetimeSeconds: number;
}>(`
  insert into guest_login (code_hash, account_id, expires_at)
  values (:codeHash, :accountId, now() + make_interval(secs => :lifetimeSeconds))`);

/** The code is neither used nor expired, and its guest has just accepted an invitation, whoever has inserted it. */
const IS_VALID_FOR_GUEST = `
  l.expires_at between now() and now() + interval '1 minute'
  and exists (
    select from invitation i
    where i.account_id = l.account_id and i.accepted_at between now() - interval '1 minute' and now())`;

export const findForGuest = statement.row<{ accountId: string; isValid: boolean }, [codeHash: Buffer]>(
  `select l.account_id as "accountId", ${IS_VALID_FOR_GUEST} as "isValid" from guest_login l where l.code_hash = ?`,
);

/** Uses up a code; `false` if another request used it first, or it has expired. */
export const useForGuest = txStatement.any<[codeHash: Buffer]>(`update guest_login l
  set expires_at = '-infinity'
  where l.code_hash = ? and ${IS_VALID_FOR_GUEST}
  returning l.account_id`);
