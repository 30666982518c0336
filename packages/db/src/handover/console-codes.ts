import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** What a code is for: to open the console in an app's session, or to confirm a session's owner. */
export type ConsoleCodePurpose = 'hand-over' | 'confirmation';

interface ConsoleCode {
  accountId: string;
  sessionId: string | null;
  endsAt: number | null;
}

/** Stores a code’s hash; returns when it expires, or `undefined` if its session has ended. */
export async function insert(
  tx: Transaction,
  code: {
    codeHash: Buffer;
    purpose: ConsoleCodePurpose;
    accountId: string;
    sessionId: string | undefined;
    /** When the cookie for it expires, if before its session; epoch seconds. */
    endsAt?: number | undefined;
    lifetimeSeconds: number;
  },
): Promise<Date | undefined> {
  const [row] = await query<{ expiresAt: Date }>(
    tx,
    `insert into console_code (code_hash, purpose, account_id, session_id, ends_at, expires_at)
     select
       :codeHash, :purpose, cast(:accountId as uuid), cast(:sessionId as uuid), to_timestamp(:endsAt),
       least(now() + make_interval(secs => :lifetimeSeconds), to_timestamp(:endsAt))
     where cast(:sessionId as uuid) is null
       or exists (select from user_session s where s.id = :sessionId and s.ended_at is null for share)
     returning expires_at as "expiresAt"`,
    { ...code, sessionId: code.sessionId ?? null, endsAt: code.endsAt ?? null },
  );
  return row?.expiresAt;
}

/** The account and session of a code with this purpose; used and expired codes are found until they are deleted. */
export async function find(
  executor: Executor,
  codeHash: Buffer,
  purpose: ConsoleCodePurpose,
): Promise<ConsoleCode | undefined> {
  const [row] = await query<ConsoleCode>(
    executor,
    `select account_id as "accountId", session_id as "sessionId", extract(epoch from ends_at)::float as "endsAt"
     from console_code
     where code_hash = ? and purpose = ?`,
    [codeHash, purpose],
  );
  return row;
}

/** Uses up a code; `false` if another request used it first, or it has expired. */
export async function use(tx: Transaction, codeHash: Buffer): Promise<boolean> {
  const rows = await query(
    tx,
    `update console_code
     set expires_at = '-infinity'
     where code_hash = ? and expires_at > now()
     returning account_id`,
    [codeHash],
  );
  return rows.length === 1;
}

/** Invalidates the codes that would confirm a session of this account. */
export async function invalidateConfirmations(tx: Transaction, accountId: string): Promise<void> {
  await query(
    tx,
    `update console_code
     set expires_at = '-infinity'
     where account_id = ? and purpose = 'confirmation' and expires_at > now()`,
    [accountId],
  );
}

/** Deletes used and expired codes. */
export async function deleteExpired(executor: Executor): Promise<void> {
  await query(executor, 'delete from console_code where expires_at < now()');
}
