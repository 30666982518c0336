import { query, type Transaction } from '../postgres/connect.ts';
import { statement, txStatement } from '../postgres/statements.ts';
import type { Authentication } from './authentication.ts';

export interface TakeOver {
  accountId: string;
  tag: string;
  deviceName: string | null;
  by: Authentication['by'];
  ageSeconds: number | null;
  passkeyId: string | null;
}

export async function insert(
  tx: Transaction,
  takeOver: {
    tokenHash: Buffer;
    accountId: string;
    passwordVersion: number;
    tag: string;
    deviceName: string | undefined;
    authentication: Authentication;
    lifetimeSeconds: number;
  },
): Promise<void> {
  const { authentication, ...same } = takeOver;
  const sql = `insert into session_take_over (
      token_hash, account_id, password_version, tag, device_name, authenticated_by, authenticated_at, passkey_id,
      expires_at)
    values (
      :tokenHash, :accountId, :passwordVersion, :tag, :deviceName, cast(:by as text[]),
      now() - make_interval(secs => cast(:ageSeconds as float8)), cast(:passkeyId as uuid),
      now() + make_interval(secs => :lifetimeSeconds))`;
  await query(tx, sql, { ...same, passkeyId: undefined, ...authentication });
}

// If the password was changed or removed, the login must begin again.
const IS_VALID = `
  account.id = t.account_id and t.password_version = account.password_version and t.expires_at > now()`;

export const find = statement.row<TakeOver, [tokenHash: Buffer]>(`
  select t.account_id as "accountId", t.tag, t.device_name as "deviceName", t.authenticated_by as by,
    extract(epoch from now() - t.authenticated_at)::float8 as "ageSeconds", t.passkey_id as "passkeyId"
  from session_take_over t, account
  where t.token_hash = ? and ${IS_VALID}`);

/** Uses up a token; `false` if another request used it first, or it is no longer valid. */
export const use = txStatement.any<[tokenHash: Buffer]>(`delete from session_take_over t
  using account
  where t.token_hash = ? and ${IS_VALID}
  returning t.account_id`);
