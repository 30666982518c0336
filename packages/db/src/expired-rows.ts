import { query, type Executor } from './postgres/connect.ts';

/** How long after their end codes and attempts are still found, so that who comes too late is told so. */
const FOUND_FOR = {
  account_code: '1 day',
  earlier_verify_code: '1 day',
  login_code: '1 day',
  device_authorization: '1 hour',
  oauth_code: '1 hour',
  sso_attempt: '1 hour',
  console_code: '0',
  email_change: '0',
  guest_login: '0',
  handover_code: '0',
  identity_link: '0',
  session_take_over: '0',
  sign_on_code: '0',
  two_factor_challenge: '0',
  webauthn_challenge: '0',
} as const;

export async function deleteExpired(executor: Executor, tables: readonly (keyof typeof FOUND_FOR)[]) {
  for (const table of tables)
    await query(executor, `delete from ${table} where expires_at < now() - interval '${FOUND_FOR[table]}'`);
}
