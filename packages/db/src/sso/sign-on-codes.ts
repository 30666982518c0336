import { query, type Executor, type Transaction } from '../postgres/connect.ts';

/** Who exchanges the code of a sign-on: an app, the account pages or the console. */
export type SignOnPurpose = 'app' | 'pages' | 'console';

/** A sign-on whose session opens when its code is exchanged. */
export interface SignOn {
  accountId: string;
  provider: string;
  issuer: string;
  subject: string;
  /** The provider's own session id, if it sent one. */
  sid: string | undefined;
  /** Whether the provider is trusted with the second factor. */
  trustsSecondFactor: boolean;
  /** When the provider authenticated the user, in epoch seconds; `undefined` if it did not say. */
  authenticatedAtSeconds: number | undefined;
  /** When the sign-on would have expired at the latest; later logouts at the provider than its beginning are found by it. */
  attemptExpiresAtSeconds: number;
  /** The challenge whose verifier an app must show. */
  codeChallenge: string | undefined;
  /** Of the browser that signed on. */
  address: string | undefined;
  userAgent: string | undefined;
}

/** Stores a sign-on under its code’s hash. */
export async function insert(
  tx: Transaction,
  signOn: SignOn & { codeHash: Buffer; purpose: SignOnPurpose; lifetimeSeconds: number },
): Promise<void> {
  await query(
    tx,
    `insert into sign_on_code (
       code_hash, purpose, account_id, provider, issuer, subject, sid, trusts_second_factor, authenticated_at,
       attempt_expires_at, code_challenge, ip_address, user_agent, expires_at)
     values (
       :codeHash, :purpose, :accountId, :provider, :issuer, :subject, :sid, :trustsSecondFactor,
       to_timestamp(:authenticatedAtSeconds), to_timestamp(:attemptExpiresAtSeconds), :codeChallenge,
       cast(:address as inet), :userAgent, now() + make_interval(secs => :lifetimeSeconds))`,
    {
      ...signOn,
      sid: signOn.sid ?? null,
      authenticatedAtSeconds: signOn.authenticatedAtSeconds ?? null,
      codeChallenge: signOn.codeChallenge ?? null,
      address: signOn.address ?? null,
      userAgent: signOn.userAgent ?? null,
    },
  );
}

type Optional = 'sid' | 'authenticatedAtSeconds' | 'codeChallenge' | 'address' | 'userAgent';
type Row = Omit<SignOn, Optional> & { [Name in Optional]: Exclude<SignOn[Name], undefined> | null } & {
  isLiving: boolean;
};

/** The sign-on of a code with this purpose; used and expired codes are found until they are deleted. */
export async function find(
  executor: Executor,
  codeHash: Buffer,
  purpose: SignOnPurpose,
): Promise<(SignOn & { isLiving: boolean }) | undefined> {
  const [row] = await query<Row>(
    executor,
    `select account_id as "accountId", provider, issuer, subject, sid, trusts_second_factor as "trustsSecondFactor",
       extract(epoch from authenticated_at)::float as "authenticatedAtSeconds",
       extract(epoch from attempt_expires_at)::float as "attemptExpiresAtSeconds",
       code_challenge as "codeChallenge", host(ip_address) as address, user_agent as "userAgent",
       expires_at > now() as "isLiving"
     from sign_on_code
     where code_hash = ? and purpose = ?`,
    [codeHash, purpose],
  );
  return (
    row && {
      ...row,
      sid: row.sid ?? undefined,
      authenticatedAtSeconds: row.authenticatedAtSeconds ?? undefined,
      codeChallenge: row.codeChallenge ?? undefined,
      address: row.address ?? undefined,
      userAgent: row.userAgent ?? undefined,
    }
  );
}

/** Uses up a code; `false` if another request used it first, or it has expired. */
export async function use(tx: Transaction, codeHash: Buffer): Promise<boolean> {
  const rows = await query(
    tx,
    `update sign_on_code
     set expires_at = '-infinity'
     where code_hash = ? and expires_at > now()
     returning account_id`,
    [codeHash],
  );
  return rows.length === 1;
}

/** Deletes used and expired codes. */
export async function deleteExpired(executor: Executor): Promise<void> {
  await query(executor, 'delete from sign_on_code where expires_at < now()');
}
