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

/** What a provider has logged out: somebody, or one of its own sessions. */
interface LoggedOut {
  provider: string;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
}

/**
 * Remembers that a provider has logged out one of its sessions, or somebody, for as long as sign-ons under way may take. Those
 * that are just opening a session are waited for, and those that come later wait for the end of this transaction.
 */
export async function noteLogout(
  tx: Transaction,
  { provider, issuer, subject, sid }: LoggedOut,
): Promise<void> {
  const digests = (sid === undefined ? [{ subject }] : [{ sid }, ...withoutSid(subject)]).map((whom) =>
    digestOf(provider, issuer, whom),
  );
  await ssoAttempts.lock(tx, digests);
  for (const digest of digests) {
    await ssoAttempts.forget(tx, digest);
    await ssoAttempts.note(tx, digest, SIGN_ON_SECONDS);
  }
}

/**
 * Holds back logouts by the provider of somebody who is about to get a session, until the transaction ends: they find that
 * session then, or `isLoggedOut` finds them. Before the account is locked, as a logout locks it afterwards too.
 */
export async function holdLogouts(
  tx: Transaction,
  rules: Pick<SsoRules, 'id'>,
  person: SsoArrival,
): Promise<void> {
  if (person.expiresAtSeconds !== undefined) await ssoAttempts.lockShared(tx, digestsOf(rules, person));
}

/** Whether the provider has logged out this person, or the session that they come from, since their sign-on began. */
export async function isLoggedOut(
  executor: Executor,
  rules: Pick<SsoRules, 'id'>,
  person: SsoArrival,
): Promise<boolean> {
  const { expiresAtSeconds } = person;
  if (expiresAtSeconds === undefined) return false;
  return ssoAttempts.isNotedUntil(executor, digestsOf(rules, person), expiresAtSeconds + APART_SECONDS);
}

/** What logouts that concern this person are remembered by. */
function digestsOf({ id }: Pick<SsoRules, 'id'>, { issuer, subject, sid }: SsoArrival): Buffer[] {
  const session = sid === undefined ? withoutSid(subject) : [{ sid }];
  return [{ subject }, ...session].map((whom) => digestOf(id, issuer, whom));
}

type Whom = { subject: string | undefined } | { sid: string } | { subjectWithoutSid: string };

/** Somebody of whose session the provider tells no `sid` at the sign-on: it may be the one that it logs out. */
function withoutSid(subject: string | undefined): Whom[] {
  return subject === undefined ? [] : [{ subjectWithoutSid: subject }];
}

function digestOf(provider: string, issuer: string, whom: Whom): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(['logged out', issuer, provider, whom]))
    .digest();
}
