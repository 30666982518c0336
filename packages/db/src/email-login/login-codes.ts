import { query, type Binding, type Executor, type Transaction } from '../postgres/connect.ts';

interface NewLoginCode {
  id: string;
  accountId: string;
  hash: Buffer;
  /** How often the code may be tried, from all addresses together. */
  tries: number;
  lifetimeSeconds: number;
  /** The hash of the secret that the browser which requested the code has. */
  requestHash: Buffer;
}

/** Stores a code’s hash with the request that it answers; returns when it expires, by the database’s clock. */
export async function insert(tx: Transaction, code: NewLoginCode): Promise<Date> {
  const [row] = await query<{ expiresAt: Date }>(
    tx,
    `with code as (
       insert into login_code (id, account_id, code_hash, tries_left, expires_at)
       values (:id, :accountId, :hash, :tries, now() + make_interval(secs => :lifetimeSeconds))
       returning id, expires_at
     ),
     request as (
       insert into login_code_request (request_hash, code_id)
       select :requestHash, id from code
     )
     select expires_at as "expiresAt" from code`,
    { ...code },
  );
  if (row === undefined) throw new Error('an insert that returns its row returned none');
  return row.expiresAt;
}

/** Lets a request that gets no mail use the account’s newest code, if one lives. */
export async function addRequest(tx: Transaction, accountId: string, requestHash: Buffer): Promise<void> {
  await query(
    tx,
    `insert into login_code_request (request_hash, code_id)
     select cast(? as bytea), id
     from login_code
     where account_id = ? and tries_left > 0 and expires_at > now()
     order by id desc
     limit 1`,
    [requestHash, accountId],
  );
}

/** Whether the account has a code that can still be used. */
export async function hasLiving(executor: Executor, accountId: string): Promise<boolean> {
  const rows = await query(
    executor,
    'select id from login_code where account_id = ? and tries_left > 0 and expires_at > now() limit 1',
    [accountId],
  );
  return rows.length === 1;
}

/** Whether this code can still be used. */
export async function isLiving(executor: Executor, id: string): Promise<boolean> {
  const rows = await query(executor, 'select id from login_code where id = ? and expires_at > now()', [id]);
  return rows.length === 1;
}

/**
 * Counts a try from an address against the code of a request, and returns the code; `undefined` if the request has none,
 * or none with a try left, for this address and in total.
 */
export async function takeTry(
  executor: Executor,
  wanted: { accountId: string; requestHash: Buffer; addressGroup: string; perAddress: number },
): Promise<{ id: string; hash: Buffer } | undefined> {
  const bindings: Record<string, Binding> = wanted;
  const [row] = await query<{ id: string; hash: Buffer }>(
    executor,
    `update login_code
     set tries_left = tries_left - 1,
       tries = jsonb_set(tries, array[cast(:addressGroup as text)],
         to_jsonb(coalesce((tries ->> cast(:addressGroup as text))::int, 0) + 1))
     where account_id = :accountId
       and id = (select code_id from login_code_request where request_hash = :requestHash)
       and tries_left > 0 and expires_at > now()
       and coalesce((tries ->> cast(:addressGroup as text))::int, 0) < :perAddress
     returning id, code_hash as hash`,
    bindings,
  );
  return row;
}

/**
 * Uses up a code, and with it all others of the account; `false` if another request used it first, or it is no longer
 * valid. The transaction must have locked the account.
 */
export async function use(tx: Transaction, accountId: string, id: string): Promise<boolean> {
  if (!(await isLiving(tx, id))) return false;
  await deleteAll(tx, accountId);
  return true;
}

/** Invalidates every such code of the account. */
export async function deleteAll(tx: Transaction, accountId: string): Promise<void> {
  await query(tx, 'delete from login_code where account_id = ?', [accountId]);
}

/** Removes codes that expired a day ago or earlier; returns how many. */
export async function deleteExpired(executor: Executor): Promise<number> {
  const rows = await query(
    executor,
    `delete from login_code where expires_at < now() - interval '1 day' returning id`,
  );
  return rows.length;
}
