import type { Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';

interface NewLoginCode {
  id: string;
  accountId: string;
  hash: Buffer;
  lifetimeSeconds: number;
  /** The hash of the secret that the browser which requested the code has. */
  requestHash: Buffer;
  /** Whether it was asked for from an address that the account was used from. */
  isKnown: boolean;
}

/** Stores a code’s hash with the request that it answers; returns when it expires, by the database’s clock. */
export const insert = txStatement.onlyValue<Date, NewLoginCode>(`with code as (
    insert into login_code (id, account_id, code_hash, is_known, expires_at)
    values (:id, :accountId, :hash, :isKnown, now() + make_interval(secs => :lifetimeSeconds))
    returning id, expires_at
  ),
  request as (
    insert into login_code_request (request_hash, code_id)
    select :requestHash, id from code
  )
  select expires_at as "expiresAt" from code`);

/** What a request from a known address, or from any other, can have in common with earlier ones. */
const IS_USABLE = 'account_id = :accountId and expires_at > now() and (:isKnown or not is_known)';

/** Lets a request that gets no mail use the newest code that it may use, if one lives. */
export const addRequest = txStatement.run<Pick<NewLoginCode, 'accountId' | 'requestHash' | 'isKnown'>>(`
  insert into login_code_request (request_hash, code_id)
  select cast(:requestHash as bytea), id
  from login_code
  where ${IS_USABLE}
  order by id desc
  limit 1`);

export const hasActive = statement.any<Pick<NewLoginCode, 'accountId' | 'isKnown'>>(
  `select id from login_code where ${IS_USABLE} limit 1`,
);

export const isActive = statement.any<[id: string]>(
  'select id from login_code where id = ? and expires_at > now()',
);

/** Returns the code of a request that has a try left. Nobody else has its secret, so nobody can use up its tries. */
export const takeTry = statement.row<
  { id: string; hash: Buffer },
  { accountId: string; requestHash: Buffer }
>(`update login_code_request request
  set tries_left = request.tries_left - 1
  from login_code code
  where request.request_hash = :requestHash and request.tries_left > 0
    and code.id = request.code_id and code.account_id = :accountId and code.expires_at > now()
  returning code.id, code.code_hash as hash`);

/** Uses up a code and all others of the locked account; `false` if another request did, or it is no longer valid. */
export async function use(tx: Transaction, accountId: string, id: string): Promise<boolean> {
  if (!(await isActive(tx, id))) return false;
  await deleteAll(tx, accountId);
  return true;
}

export const deleteAll = txStatement.run<[accountId: string]>('delete from login_code where account_id = ?');
