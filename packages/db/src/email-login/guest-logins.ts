import { statement, txStatement } from '../postgres/statements.ts';

/** Stores the code with which a guest who has just accepted an invitation opens a session, under its hash. */
export const insert = txStatement.run<{ codeHash: Buffer; accountId: string; lifetimeSeconds: number }>(`
  insert into guest_login (code_hash, account_id, expires_at)
  values (:codeHash, :accountId, now() + make_interval(secs => :lifetimeSeconds))`);

/** The code is neither used nor expired, and its guest has just accepted an invitation, whoever has inserted it. */
const IS_VALID = `
  l.expires_at between now() and now() + interval '1 minute'
  and exists (
    select from invitation i
    where i.account_id = l.account_id and i.accepted_at between now() - interval '1 minute' and now())`;

/** The guest of a code; used and expired codes are found until they are deleted. */
export const find = statement.row<{ accountId: string; isValid: boolean }, [codeHash: Buffer]>(
  `select l.account_id as "accountId", ${IS_VALID} as "isValid" from guest_login l where l.code_hash = ?`,
);

/** Uses up a code; `false` if another request used it first, or it has expired. */
export const use = txStatement.any<[codeHash: Buffer]>(`update guest_login l
  set expires_at = '-infinity'
  where l.code_hash = ? and ${IS_VALID}
  returning l.account_id`);
