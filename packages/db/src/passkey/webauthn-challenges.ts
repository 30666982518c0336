import { statement, txStatement } from '../postgres/statements.ts';

export type ChallengePurpose = 'register' | 'login' | 'second-factor' | 'confirm';

// A challenge that was given for a password is no longer valid once that password has changed.
const IS_VALID = `
  expires_at > now()
  and (password_version is null or password_version = (
    select account.password_version from account where account.id = webauthn_challenge.account_id))`;

export const insert = txStatement.run<{
  tokenHash: Buffer;
  purpose: ChallengePurpose;
  accountId: string | undefined;
  challenge: Buffer;
  passwordVersion: number | undefined;
  lifetimeSeconds: number;
}>(`insert into webauthn_challenge (token_hash, purpose, account_id, challenge, password_version, expires_at)
  values (
    :tokenHash, :purpose, cast(:accountId as uuid), :challenge, cast(:passwordVersion as integer),
    now() + make_interval(secs => :lifetimeSeconds))`);

/** The valid challenge of a token; of a login without an account, which the response names. */
export const find = statement.row<
  { accountId: string | null; challenge: Buffer },
  [tokenHash: Buffer, purpose: ChallengePurpose]
>(`
  select account_id as "accountId", challenge
  from webauthn_challenge
  where token_hash = ? and purpose = ? and ${IS_VALID}`);

/** Uses up a challenge; `false` if another request used it first, or it is no longer valid. */
export const use = txStatement.any<[tokenHash: Buffer, purpose: ChallengePurpose]>(`
  delete from webauthn_challenge
  where token_hash = ? and purpose = ? and ${IS_VALID}
  returning token_hash`);
