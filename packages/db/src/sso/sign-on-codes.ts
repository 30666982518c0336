import { query, type Executor } from '../postgres/connect.ts';
import { txStatement } from '../postgres/statements.ts';

/** Who exchanges the code of a sign-on: an app, the account pages or the console. */
export type SignOnPurpose = 'app' | 'pages' | 'console';

export interface SignOn {
  accountId: string;
  provider: string;
  issuer: string;
  subject: string;
  /** The provider's own session id, if it sent one. */
  sid: string | undefined;
  trustsSecondFactor: boolean;
  /** When the provider authenticated the user, in epoch seconds; `undefined` if it did not say. */
  authenticatedAtSeconds: number | undefined;
  /** When the sign-on would have expired at the latest; later logouts at the provider than its beginning are found by it. */
  attemptExpiresAtSeconds: number;
  codeChallenge: string | undefined;
  /** Of the browser that signed on. */
  address: string | undefined;
  userAgent: string | undefined;
  sessionTag: string | undefined;
}

export interface StoredSignOn extends SignOn {
  isValid: boolean;
  /** If the code is a token that takes over a slot: the account's password version when it was given out. */
  passwordVersion: number | undefined;
}

export const insert = txStatement.run<
  SignOn & { codeHash: Buffer; purpose: SignOnPurpose; lifetimeSeconds: number }
>(`insert into sign_on_code (
    code_hash, purpose, account_id, provider, issuer, subject, sid, trusts_second_factor, authenticated_at,
    attempt_expires_at, code_challenge, ip_address, user_agent, session_tag, expires_at)
  values (
    :codeHash, :purpose, :accountId, :provider, :issuer, :subject, :sid, :trustsSecondFactor,
    to_timestamp(:authenticatedAtSeconds), to_timestamp(:attemptExpiresAtSeconds), :codeChallenge,
    cast(:address as inet), :userAgent, :sessionTag, now() + make_interval(secs => :lifetimeSeconds))`);

/** A sign-on's code, or the token that takes over a slot in place of it. */
const IS_CODE = '(code_hash = :codeHash or take_over_hash = :codeHash)';
/** The code itself is used up once a token stands for it. */
const IS_VALID = '(expires_at > now() and (take_over_hash is null or take_over_hash = :codeHash))';

/** The sign-on of a code with this purpose; used and expired codes are found until they are deleted. */
export async function find(executor: Executor, codeHash: Buffer, purpose: SignOnPurpose) {
  const row = await query.row<StoredSignOn>(
    executor,
    `select account_id as "accountId", provider, issuer, subject, sid, trusts_second_factor as "trustsSecondFactor",
       extract(epoch from authenticated_at)::float as "authenticatedAtSeconds",
       extract(epoch from attempt_expires_at)::float as "attemptExpiresAtSeconds",
       code_challenge as "codeChallenge", host(ip_address) as address, user_agent as "userAgent",
       session_tag as "sessionTag", password_version as "passwordVersion", ${IS_VALID} as "isValid"
     from sign_on_code
     where ${IS_CODE} and purpose = :purpose`,
    { codeHash, purpose },
  );
  // What the table has as null is `undefined` here.
  return (
    row &&
    (Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as StoredSignOn)
  );
}

/** Uses up a code; `false` if another request used it first, or it has expired. */
export const use = txStatement.any<{ codeHash: Buffer }>(`update sign_on_code
  set expires_at = '-infinity'
  where ${IS_CODE} and ${IS_VALID}
  returning account_id`);

/** Lets a token stand for the sign-on of a code that was just used. */
export const continueWith = txStatement.run<{
  codeHash: Buffer;
  tokenHash: Buffer;
  passwordVersion: number;
  lifetimeSeconds: number;
}>(`update sign_on_code
  set take_over_hash = :tokenHash, password_version = :passwordVersion,
    expires_at = now() + make_interval(secs => :lifetimeSeconds)
  where code_hash = :codeHash`);
