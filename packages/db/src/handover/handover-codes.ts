import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** The session that a code gives access to, and whether the code is still valid. */
export interface HandoverCode {
  accountId: string;
  sessionId: string;
  /** When the cookie for it expires, if before its session; epoch seconds. */
  endsAt: number | undefined;
  /** The challenge whose verifier must be shown, if there is one. */
  codeChallenge: string | undefined;
  isLiving: boolean;
}

/** Stores the hash of a code for an active session; returns when it expires, or `undefined` if the session has ended. */
export async function insert(
  tx: Transaction,
  code: {
    codeHash: Buffer;
    accountId: string;
    sessionId: string;
    endsAt: number | undefined;
    codeChallenge: string | undefined;
    lifetimeSeconds: number;
  },
): Promise<Date | undefined> {
  const [row] = await query<{ expiresAt: Date }>(
    tx,
    `insert into handover_code (code_hash, account_id, session_id, code_challenge, ends_at, expires_at)
     select
       :codeHash, s.account_id, s.id, :codeChallenge, to_timestamp(:endsAt),
       least(now() + make_interval(secs => :lifetimeSeconds), to_timestamp(:endsAt))
     from user_session s
     where s.id = :sessionId and s.account_id = :accountId and s.ended_at is null
     for share
     returning expires_at as "expiresAt"`,
    { ...code, codeChallenge: code.codeChallenge ?? null, endsAt: code.endsAt ?? null },
  );
  return row?.expiresAt;
}

/** A stored code; used and expired ones are found until they are deleted. */
export async function find(executor: Executor, codeHash: Buffer): Promise<HandoverCode | undefined> {
  const [row] = await query<
    Omit<HandoverCode, 'endsAt' | 'codeChallenge'> & { endsAt: number | null; codeChallenge: string | null }
  >(
    executor,
    `select account_id as "accountId", session_id as "sessionId",
       extract(epoch from ends_at)::float as "endsAt", code_challenge as "codeChallenge",
       expires_at > now() as "isLiving"
     from handover_code
     where code_hash = ?`,
    [codeHash],
  );
  return row && { ...row, endsAt: row.endsAt ?? undefined, codeChallenge: row.codeChallenge ?? undefined };
}

/** Uses up a code; `false` if another request used it first, or it has expired. */
export async function use(tx: Transaction, codeHash: Buffer): Promise<boolean> {
  const rows = await query(
    tx,
    `update handover_code
     set expires_at = '-infinity'
     where code_hash = ? and expires_at > now()
     returning account_id`,
    [codeHash],
  );
  return rows.length === 1;
}

/** Deletes used and expired codes. */
export async function deleteExpired(executor: Executor): Promise<void> {
  await query(executor, 'delete from handover_code where expires_at < now()');
}
