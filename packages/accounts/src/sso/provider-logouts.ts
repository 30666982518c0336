import { createHash } from 'node:crypto';
import { ssoAttempts, type Executor, type Transaction } from '@gatehouse/db';
import type { SsoPerson, SsoRules } from './sso-account.ts';

/** How long a sign-on may take, from our address to our address. */
export const SIGN_ON_SECONDS = 600;

/** How far our clock and the database's may be apart: who signs on again at once must not be taken for earlier. */
const APART_SECONDS = 5;

/** Somebody who comes back from a sign-on. */
export interface SsoArrival extends SsoPerson {
  /** When the sign-on expires, `SIGN_ON_SECONDS` after its beginning; `undefined` where it does not matter. */
  expiresAtSeconds?: number;
}

/** Remembers that a provider has logged out one of its sessions, or somebody, for as long as sign-ons under way may take. */
export async function noteLogout(
  tx: Transaction,
  {
    provider,
    issuer,
    subject,
    sid,
  }: { provider: string; issuer: string } & Record<'subject' | 'sid', string | undefined>,
): Promise<void> {
  const digest = digestOf(provider, issuer, sid === undefined ? { subject } : { sid });
  await ssoAttempts.forget(tx, digest);
  await ssoAttempts.note(tx, digest, SIGN_ON_SECONDS);
}

/** Whether the provider has logged out this person, or the session that they come from, since their sign-on began. */
export async function isLoggedOut(
  executor: Executor,
  { id }: Pick<SsoRules, 'id'>,
  { issuer, subject, sid, expiresAtSeconds }: SsoArrival,
): Promise<boolean> {
  if (expiresAtSeconds === undefined) return false;
  const digests = [{ subject }, ...(sid === undefined ? [] : [{ sid }])].map((one) =>
    digestOf(id, issuer, one),
  );
  return ssoAttempts.isNotedUntil(executor, digests, expiresAtSeconds + APART_SECONDS);
}

function digestOf(
  provider: string,
  issuer: string,
  whom: { subject: string | undefined } | { sid: string },
): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(['logged out', issuer, provider, whom]))
    .digest();
}
