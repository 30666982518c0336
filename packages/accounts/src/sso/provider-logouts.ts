import { createHash } from 'node:crypto';
import { ssoAttempts, type Executor, type Identity, type Transaction } from '@gatehouse/db';

/** How long a sign-on may take, from leaving our site to returning. */
export const SIGN_ON_SECONDS = 600;

/** How far our clock and the database's may differ: a sign-on right after a logout is not an earlier one. */
const APART_SECONDS = 5;

/** What opening a session needs to know of the provider, which was checked when the person returned from it. */
export interface SignOnRules {
  /** The provider's name in URLs and sessions. */
  id: string;
  trustSecondFactor: boolean;
  /** For the console: only administrators are logged in or linked, and no accounts are created. */
  isForAdministrators?: boolean;
}

export interface SignedOnIdentity extends Identity {
  /** The provider's own session id, if it sent one. */
  sid?: string | undefined;
  /** When the sign-on expires, after `SIGN_ON_SECONDS`; `undefined` if provider logouts need not be checked. */
  expiresAtSeconds?: number;
  /** When the provider authenticated the person, by our clock; `undefined` if it did not say. */
  authenticatedAtSeconds?: number | undefined;
}

/** What a provider has logged out: a person, or one of its own sessions. */
interface LoggedOut {
  provider: string;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
}

/**
 * Remembers that a provider has logged out one of its sessions, or a person, for as long as sign-ons in progress may
 * take. This waits for sign-ons that are just opening a session; later ones wait for the end of this transaction.
 */
export async function recordLogout(tx: Transaction, { provider, issuer, subject, sid }: LoggedOut) {
  const digests = (sid === undefined ? [{ subject }] : [{ sid }, ...withoutSid(subject)]).map((whom) =>
    digestOf(provider, issuer, whom),
  );
  await ssoAttempts.lock(tx, digests);
  for (const digest of digests) {
    await ssoAttempts.forget(tx, digest);
    await ssoAttempts.record(tx, digest, SIGN_ON_SECONDS);
  }
}

/**
 * Delays the provider's logouts of a person until the transaction ends: either the logout finds the new session, or
 * `isLoggedOut` the logout. Before locking the account, as a logout does.
 */
export async function deferLogouts(
  tx: Transaction,
  rules: Pick<SignOnRules, 'id'>,
  person: SignedOnIdentity,
): Promise<void> {
  if (person.expiresAtSeconds !== undefined) await ssoAttempts.lockShared(tx, digestsOf(rules, person));
}

/** Whether the provider has logged out the person, or the session there, since the sign-on began. */
export async function isLoggedOut(
  executor: Executor,
  rules: Pick<SignOnRules, 'id'>,
  person: SignedOnIdentity,
): Promise<boolean> {
  const { expiresAtSeconds } = person;
  if (expiresAtSeconds === undefined) return false;
  return ssoAttempts.isRecordedUntil(executor, digestsOf(rules, person), expiresAtSeconds + APART_SECONDS);
}

function digestsOf({ id }: Pick<SignOnRules, 'id'>, { issuer, subject, sid }: SignedOnIdentity): Buffer[] {
  const session = sid === undefined ? withoutSid(subject) : [{ sid }];
  return [{ subject }, ...session].map((whom) => digestOf(id, issuer, whom));
}

type Whom = { subject: string | undefined } | { sid: string } | { subjectWithoutSid: string };

/** A person for whose session the provider sent no `sid` at the sign-on: it may be the session that is logged out. */
function withoutSid(subject: string | undefined): Whom[] {
  return subject === undefined ? [] : [{ subjectWithoutSid: subject }];
}

function digestOf(provider: string, issuer: string, whom: Whom): Buffer {
  return sha256Of('logged out', issuer, provider, whom);
}

/** Identifies a person at an identity provider in their sessions, also after the identity has been unlinked. */
export function identityDigest({ issuer, subject }: Identity): Buffer {
  return sha256Of('identity', issuer, subject);
}

function sha256Of(...parts: unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
