import {
  accountUpdated,
  conditionOf,
  countOnCommit,
  differingNames,
  isOpenToRegistration,
  isVerifiable,
  mailCode,
  mailNotice,
} from '@gatehouse/accounts';
import { emailKey, LoginStatus } from '@gatehouse/schema';
import {
  accounts,
  audit,
  inTransaction,
  outbox,
  type Account,
  type AccountWithHash,
  type AuditEntry,
  type Transaction,
} from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { withMinimumDuration, type RequestFacts } from '@gatehouse/http';
import { Unavailable } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { Deps } from '../deps.ts';

/** What somebody registers with; the email is normalised. */
export interface Registration {
  email: string;
  password: string;
  displayName: string | undefined;
  locale: string | undefined;
}

/** Another registration of the email may come in between once or twice; more often it is no coincidence. */
const ROUNDS_MAX = 3;
/** How long a registration waits for others of its email, in milliseconds. */
const TURN_WAIT_MS = 3000;
/** What it takes to write an account, which is longer than to find one. */
const WRITE_MS = 60;

/**
 * Registers an email, whatever is known of it by now. Registrations of one email take turns, whether or not it has an
 * account: the second of two at once would be answered later for a new account alone otherwise.
 *
 * @throws {Unavailable} when too many others of that email came first, or the database is away.
 */
export async function registerAccount(deps: Deps, given: Registration, request: RequestFacts): Promise<void> {
  const begun = performance.now();
  const key = emailKey(given.email);
  const written = await deps.mutex(`register ${key}`, async () => {
    if (performance.now() - begun > TURN_WAIT_MS) throw new Unavailable('a turn to register');
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const work = await workOnPassword(deps, key, given.password);
      const since = performance.now();
      if ((await writeDown(deps, given, work, request)) === 'done') return { since };
    }
    throw new Unavailable('a registration');
  });
  deps.relay.wake();
  // After the turn: the others need not wait for it.
  await withMinimumDuration(WRITE_MS - (performance.now() - written.since), Promise.resolve());
}

/** What the password is needed for: to be compared with the one that `hash` is of, or to be stored. */
type PasswordWork = { comparedWith: string; isSame: boolean } | { passwordHash: string };

/** Outside of the transaction, as it takes long; as long for every account, and for none. */
async function workOnPassword(deps: Deps, key: string, password: string): Promise<PasswordWork> {
  const account = await accounts.findWithHash(deps.db, key);
  const hash = account?.passwordHash ?? null;
  const scheme = account?.passwordScheme ?? null;
  if (account === undefined || !isUnverified(account) || hash === null || scheme === null) {
    return { passwordHash: await deps.passwords.hash(password) };
  }
  return { comparedWith: hash, isSame: await deps.passwords.verify(password, { hash, scheme }) };
}

/** `changed`: the account is not what the work on the password was for; nothing is written then. */
type Outcome = 'done' | 'changed';

function writeDown(
  deps: Deps,
  given: Registration,
  work: PasswordWork,
  request: RequestFacts,
): Promise<Outcome> {
  return inTransaction(deps.db, request, async (tx): Promise<Outcome> => {
    const account = await accounts.lockWithHash(tx, emailKey(given.email));
    if (account === undefined) {
      if (deps.selfRegistration === 'closed') return 'done';
      return 'passwordHash' in work ? create(deps, tx, { ...given, ...work }, request) : 'changed';
    }
    if (isUnverified(account)) return repeat(deps, tx, account, work, request);
    if (awaitsRegistration(account)) {
      return 'passwordHash' in work ? complete(deps, tx, account, { ...given, ...work }, request) : 'changed';
    }
    await tellOwner(deps, tx, account, request);
    return 'done';
  });
}

type Hashed = Omit<Registration, 'password'> & { passwordHash: string };

async function create(deps: Deps, tx: Transaction, given: Hashed, request: RequestFacts): Promise<Outcome> {
  const account = {
    ...given,
    id: newId(),
    locale: given.locale ?? 'en',
    displayName: given.displayName ?? null,
  };
  const isNew = await accounts.insert(tx, {
    ...account,
    emailKey: emailKey(given.email),
    displayName: given.displayName,
    role: 'User',
    signup: 'complete',
    isEmailVerified: false,
  });
  if (!isNew) return 'changed';
  countOnCommit(deps, tx, 'registration');
  await outbox.add(tx, [newEvent('account.registered', { UserId: account.id }, request)]);
  await mailCode(deps, tx, account, 'verify', request);
  await audit.append(tx, [byAnybody('account.registered', account.id)], request);
  return 'done';
}

/** Stores what was given for an account that an administrator has made for its owner. */
async function complete(
  deps: Deps,
  tx: Transaction,
  account: Account,
  given: Hashed,
  request: RequestFacts,
): Promise<Outcome> {
  await accounts.updateForRegistration(tx, account.id, given);
  countOnCommit(deps, tx, 'registration');
  await tellOfNames(tx, account, request);
  await mailCode(deps, tx, account, 'verify', request);
  const details = { LoginStatus: conditionOf(account) };
  await audit.append(tx, [{ ...byAnybody('account.registered', account.id), details }], request);
  return 'done';
}

/**
 * Mails another code, as far as the account's share of mails goes. With another password it is contested for good, mail
 * or none, also while it is disabled: somebody may have taken the address before its owner, or after, and no code says
 * whose registration it is of.
 */
async function repeat(
  deps: Deps,
  tx: Transaction,
  account: AccountWithHash,
  work: PasswordWork,
  request: RequestFacts,
): Promise<Outcome> {
  if (!('isSame' in work) || work.comparedWith !== account.passwordHash) return 'changed';
  const isContested = account.isContested || !work.isSame;
  if (isContested && !account.isContested) {
    await accounts.markContested(tx, account.id);
    await tellOfNames(tx, account, request);
    await audit.append(tx, [byAnybody('account.contested', account.id)], request);
  }
  const recipient = isContested ? ((await accounts.findById(tx, account.id)) ?? account) : account;
  if (isVerifiable(account)) await mailCode(deps, tx, recipient, 'verify', request);
  else await tellOwner(deps, tx, recipient, request);
  return 'done';
}

function tellOwner(deps: Deps, tx: Transaction, account: Account, request: RequestFacts): Promise<void> {
  return mailNotice(deps, tx, account, 'account.registration-repeated', { UserId: account.id }, request);
}

/** Tells others which of the names have changed that a registration brings, without saying by whom: nobody has proved it. */
async function tellOfNames(tx: Transaction, before: Account, request: RequestFacts): Promise<void> {
  const after = (await accounts.findById(tx, before.id)) ?? before;
  const changed = differingNames(before, after);
  await outbox.add(tx, accountUpdated(before.id, changed, { origin: request }));
}

/** Registered, and its email not verified yet. */
function isUnverified(account: Account): boolean {
  return account.signup === 'complete' && !account.isEmailVerified;
}

/** Made by an administrator, and without a password so far. */
function awaitsRegistration(account: Account): boolean {
  const condition = conditionOf(account);
  const isWaiting =
    condition === LoginStatus.IsPendingNewAccountSignup ||
    condition === LoginStatus.IsPendingAccountMigrationSignup;
  return isOpenToRegistration(account) && isWaiting;
}

/** Whoever registers has not shown to be the owner. */
function byAnybody(action: 'account.registered' | 'account.contested', id: string): AuditEntry {
  return { action, actor: { kind: 'System' }, target: { kind: 'Account', id } };
}
