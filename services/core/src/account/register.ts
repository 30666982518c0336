import { randomBytes } from 'node:crypto';
import {
  accountUpdated,
  countOnCommit,
  differingNames,
  isCompletable,
  isVerifiable,
  mailCode,
  mailNotice,
  write,
  type WriteTransaction,
  takeShare,
} from '@gatehouse/accounts';
import type { CodeHasher } from '@gatehouse/auth-core';
import { accounts, type Account, type AccountWithHash } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { tooManyMails, type RequestFacts } from '@gatehouse/http';
import { Unavailable, withMinimumDuration } from '@gatehouse/runtime';
import {
  DisplayName,
  Email,
  emailKey,
  Integers,
  Locale,
  LoginStatus,
  normalizeEmail,
  Password,
  Type,
} from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { route, type Deps } from '../deps.ts';
import { requireFitPassword } from './password.ts';

export const register = route('POST /account/register', {
  operationId: 'register',
  tag: 'Account',
  summary: 'Register an account',
  description:
    'Creates an account, or mails the owner of a waiting one a code for `/account/reset-password`. The response is ' +
    'the same whether or not the email address has an account. Registering again with a different password before ' +
    'the email address is verified makes the account contested: verification then discards all passwords.',
  access: 'public',
  body: Type.Object({
    Email: Email(),
    Password: Password(),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
  }),
  response: Type.Object({
    LoginStatus: Integers(LoginStatus, 'LoginStatus'),
    RegistrationToken: Type.String({
      description: 'Shows `/account/verify` that the caller registered the password',
    }),
  }),
  errors: ['too_many_requests'],
  handler: async ({ body, deps, request, refuse }) => {
    const email = normalizeEmail(body.Email) ?? body.Email;
    const { Password: password, DisplayName: displayName, Locale: locale } = body;
    await requireFitPassword(deps, password, email);
    await deps.passwords.from(request.addressGroup).requirePlace();
    const limited = await takeShare(deps.mailsAskedFor, request.addressGroup);
    if (limited !== undefined) throw tooManyMails(refuse, limited);
    const registered = await registerEmail(deps, { email, password, displayName, locale }, request);
    return {
      LoginStatus: LoginStatus.IsPendingEmailConfirmation,
      RegistrationToken: newRegistrationToken(deps.codes, registered),
    };
  },
});

/** The registration that a token stands for: another password makes it another registration. */
export type Registered = Pick<Account, 'id' | 'passwordVersion'>;

const NONCE_BYTES = 16;
const PROOF_BYTES = 32;

/**
 * The token that tells the browser which registered the present password of an account from all others. Without such a
 * registration it is random, which nobody can distinguish without the key. It is not stored: it is derived with a key
 * that only Core and Admin have.
 */
function newRegistrationToken(codes: CodeHasher, registered: Registered | undefined): string {
  const nonce = randomBytes(NONCE_BYTES);
  const proof = registered === undefined ? randomBytes(PROOF_BYTES) : proofOf(codes, registered, nonce);
  return Buffer.concat([nonce, proof]).toString('base64url');
}

export function isRegistrationToken(codes: CodeHasher, registered: Registered, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  return codes.equal(bytes.subarray(NONCE_BYTES), proofOf(codes, registered, nonce));
}

/** How many passwords may have followed the discarded one; each is one more version of the account's. */
const LATER_PASSWORDS_MAX = 5;

/** Whether the token was issued for a password that this account had before its email was verified, and has no longer. */
export function isDiscardedRegistration(
  codes: CodeHasher,
  { id, passwordVersion, isEmailVerified }: Account,
  token: string,
): boolean {
  if (!isEmailVerified) return false;
  const earlier = Array.from({ length: LATER_PASSWORDS_MAX }, (_, index) => passwordVersion - 1 - index);
  return earlier.some((version) => isRegistrationToken(codes, { id, passwordVersion: version }, token));
}

function proofOf(codes: CodeHasher, { id, passwordVersion }: Registered, nonce: Buffer): Buffer {
  const binding = { purpose: 'registration', accountId: id };
  return codes.hash(binding, `${passwordVersion} ${nonce.toString('base64url')}`);
}

interface Registration {
  /** Normalised. */
  email: string;
  password: string;
  displayName: string | undefined;
  locale: string | undefined;
}

/** Another registration of the email may interfere once or twice; more often is no coincidence. */
const ROUNDS_MAX = 3;
/** How long a registration waits for others of its email, in milliseconds. */
const TURN_WAIT_MS = 3000;
/** The usual time for writing an account, which is longer than for finding one. */
const WRITE_MS = 60;

/**
 * Registers an email, whether or not it has an account; returns the registration with this password, if there is one
 * now. Registrations of one email take turns in both cases: otherwise, of two at once, the second would be answered
 * later only if the account is new.
 *
 * @throws {Unavailable} if too many other registrations of that email came first, or the database is unavailable.
 */
async function registerEmail(deps: Deps, given: Registration, request: RequestFacts) {
  const begun = performance.now();
  const written = await deps.mutex(`register ${emailKey(given.email)}`, async () => {
    if (performance.now() - begun > TURN_WAIT_MS) throw new Unavailable('a turn to register');
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const work = await workOnPassword(deps, given, request);
      const since = performance.now();
      const outcome = await writeDown(deps, given, work, request);
      if (outcome !== CHANGED) return { since, registered: outcome };
    }
    throw new Unavailable('a registration');
  });
  // Outside of the turn, so that others need not wait for this.
  await withMinimumDuration(WRITE_MS - (performance.now() - written.since), Promise.resolve());
  return written.registered;
}

/** The password is compared with the hash `comparedWith`, or hashed for storing. */
type PasswordWork =
  { kind: 'compared'; comparedWith: string; isSame: boolean } | { kind: 'hashed'; passwordHash: string };

/** Done outside of the transaction, because it takes long; equally long for every account, and without one. */
async function workOnPassword(
  deps: Deps,
  { email, password }: Registration,
  { addressGroup }: RequestFacts,
): Promise<PasswordWork> {
  const passwords = deps.passwords.from(addressGroup);
  const account = await accounts.findWithHash(deps.db, emailKey(email));
  const hash = account?.passwordHash ?? null;
  const scheme = account?.passwordScheme ?? null;
  if (account === undefined || !isUnverified(account) || hash === null || scheme === null)
    return { kind: 'hashed', passwordHash: await passwords.hash(password) };
  return { kind: 'compared', comparedWith: hash, isSame: await passwords.verify(password, { hash, scheme }) };
}

/** The account has changed since the password was processed; nothing was written. */
const CHANGED = 'changed';
type Outcome = Registered | undefined | typeof CHANGED;

/** Nobody is the actor, because registering does not prove ownership of the address. */
function writeDown(deps: Deps, given: Registration, work: PasswordWork, origin: RequestFacts) {
  return write(deps, { actor: { kind: 'System' }, origin }, async (tx): Promise<Outcome> => {
    const account = await accounts.lockWithHash(tx, emailKey(given.email));
    if (account === undefined) {
      if (deps.selfRegistration === 'closed') return undefined;
      if (work.kind !== 'hashed') return CHANGED;
      return create(deps, tx, { ...given, passwordHash: work.passwordHash }, origin);
    }
    if (isUnverified(account)) return repeat(deps, tx, account, work, origin);
    // A stranger may have typed this password: the owner chooses one with the mailed code.
    if (isCompletable(account) || isVerifiable(account)) await mailCode(deps, tx, account, 'reset', origin);
    else await notifyOwner(deps, tx, account, origin);
    return undefined;
  });
}

async function create(
  deps: Deps,
  tx: WriteTransaction,
  given: Omit<Registration, 'password'> & { passwordHash: string },
  origin: RequestFacts,
): Promise<Outcome> {
  const { email, displayName, locale = 'en', passwordHash } = given;
  const id = newId();
  const own = { id, email, locale, isService: false };
  const isNew = await accounts.insert(tx, {
    ...own,
    emailKey: emailKey(email),
    passwordHash,
    displayName,
    role: 'User',
    signup: 'complete',
    isEmailVerified: false,
  });
  if (!isNew) return CHANGED;
  countOnCommit(deps, tx, 'registration');
  tx.event(newEvent('account.registered', { UserId: id }, origin));
  await mailCode(deps, tx, { ...own, displayName: displayName ?? null }, 'verify', origin);
  tx.audit('account.registered', undefined, { kind: 'Account', id });
  return accounts.findById(tx, id);
}

/**
 * Mails another code, within the account's limit of mails. If the password is a different one, the registration is
 * marked as contested permanently, even if no mail is sent and while the account is disabled: a stranger may have
 * registered the address before its owner, or after, and no code can tell whose registration it belongs to.
 */
async function repeat(
  deps: Deps,
  tx: WriteTransaction,
  account: AccountWithHash,
  work: PasswordWork,
  origin: RequestFacts,
): Promise<Outcome> {
  if (work.kind !== 'compared' || work.comparedWith !== account.passwordHash) return CHANGED;
  const { id } = account;
  const isContested = account.isContested || !work.isSame;
  if (isContested && !account.isContested) await accounts.markContested(tx, id);
  const recipient = isContested ? ((await accounts.findById(tx, id)) ?? account) : account;
  if (isContested && !account.isContested) {
    // Not by whom, because nobody has proved to be the owner.
    tx.event(...accountUpdated(id, differingNames(account, recipient), { origin }));
    tx.audit('account.contested', undefined, { kind: 'Account', id });
  }
  if (isVerifiable(account)) await mailCode(deps, tx, recipient, 'verify', origin);
  else await notifyOwner(deps, tx, recipient, origin);
  return work.isSame ? account : undefined;
}

function notifyOwner(deps: Deps, tx: WriteTransaction, account: Account, origin: RequestFacts) {
  return mailNotice(deps, tx, account, 'account.registration-repeated', {}, origin);
}

function isUnverified(account: AccountWithHash): boolean {
  return account.signup === 'complete' && !account.isEmailVerified && account.passwordHash !== null;
}
