import type { PasswordsOf } from '@gatehouse/auth-core';
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
import { Unavailable, withMinimumDuration } from '@gatehouse/runtime';
import { emailKey } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { accountUpdated, differingNames } from '../admin/account-updated.ts';
import type { AccountsDeps, MailDeps, Origin } from '../../deps.ts';
import type { Throttled } from '../../checks/attempts.ts';
import { countMailRequest } from '../../checks/request-limits.ts';
import { describePasswordFault, type PasswordRefusal } from '../../checks/credentials.ts';
import { isCompletable, isVerifiable } from '../../checks/login-status.ts';
import { mailCode, mailNotice } from '../../checks/mailing.ts';
import { countOnCommit } from '../../checks/count-on-commit.ts';
import { newRegistrationToken, type Registered } from './registration-token.ts';

/** The data of a registration; the email is normalised. */
export interface Registration {
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

/** The result of a registration: indistinguishable for every email (`newRegistrationToken`). */
export type RegistrationResult =
  { kind: 'registered'; token: string } | { kind: 'unfit_password'; fault: PasswordRefusal } | Throttled;

type Deps = MailDeps &
  Pick<AccountsDeps, 'db' | 'passwords' | 'mutex' | 'relay' | 'mailsAskedFor' | 'activity'> & {
    /** Whether people may create an account for themselves. */
    selfRegistration: 'open' | 'closed';
  };

/**
 * Registers an email, whether or not it has an account. Registrations of one email take turns in both cases: otherwise,
 * of two concurrent registrations, the second would be answered later only if the account is new.
 *
 * @throws {Unavailable} if too many other registrations of that email came first, or the database is unavailable.
 */
export async function registerAccount(
  deps: Deps,
  { addressGroup, ...given }: Registration & { addressGroup: string },
  origin: Origin,
): Promise<RegistrationResult> {
  const fault = await describePasswordFault(deps, given.password, given.email);
  if (fault !== undefined) return { kind: 'unfit_password', fault };
  await deps.passwords.from(addressGroup).requirePlace();
  const limited = await countMailRequest(deps, addressGroup);
  if (limited !== undefined) return limited;
  const registered = await register(deps, given, origin);
  return { kind: 'registered', token: newRegistrationToken(deps.codes, registered) };
}

/** Returns the registration with this password, if there is one now. */
async function register(deps: Deps, given: Registration, origin: Origin): Promise<Registered | undefined> {
  const begun = performance.now();
  const key = emailKey(given.email);
  const hashing = { db: deps.db, passwords: deps.passwords.from(origin.addressGroup) };
  const written = await deps.mutex(`register ${key}`, async () => {
    if (performance.now() - begun > TURN_WAIT_MS) throw new Unavailable('a turn to register');
    for (let round = 1; round <= ROUNDS_MAX; round += 1) {
      const work = await workOnPassword(hashing, key, given.password);
      const since = performance.now();
      const outcome = await writeDown(deps, given, work, origin);
      if (outcome.kind === 'done') return { since, registered: outcome.registered };
    }
    throw new Unavailable('a registration');
  });
  deps.relay.wake();
  // Outside of the turn, so that others need not wait for this.
  await withMinimumDuration(WRITE_MS - (performance.now() - written.since), Promise.resolve());
  return written.registered;
}

/** The result of processing the password: compared with the hash `comparedWith`, or hashed for storing. */
type PasswordWork =
  { kind: 'compared'; comparedWith: string; isSame: boolean } | { kind: 'hashed'; passwordHash: string };

/** Done outside of the transaction, because it takes long; equally long for every account, and without one. */
async function workOnPassword(
  deps: Pick<Deps, 'db'> & { passwords: PasswordsOf },
  key: string,
  password: string,
): Promise<PasswordWork> {
  const account = await accounts.findWithHash(deps.db, key);
  const hash = account?.passwordHash ?? null;
  const scheme = account?.passwordScheme ?? null;
  if (account === undefined || !isUnverified(account) || hash === null || scheme === null) {
    return { kind: 'hashed', passwordHash: await deps.passwords.hash(password) };
  }
  return {
    kind: 'compared',
    comparedWith: hash,
    isSame: await deps.passwords.verify(password, { hash, scheme }),
  };
}

/**
 * `registered`: the registration with the given password. `changed`: the account has changed since the password was
 * processed; nothing was written.
 */
type Outcome = { kind: 'done'; registered: Registered | undefined } | { kind: 'changed' };

const CHANGED = { kind: 'changed' } as const;
const NOT_REGISTERED = { kind: 'done', registered: undefined } as const;

function writeDown(deps: Deps, given: Registration, work: PasswordWork, origin: Origin): Promise<Outcome> {
  return inTransaction(deps.db, origin, async (tx): Promise<Outcome> => {
    const account = await accounts.lockWithHash(tx, emailKey(given.email));
    if (account === undefined) {
      if (deps.selfRegistration === 'closed') return NOT_REGISTERED;
      if (work.kind !== 'hashed') return CHANGED;
      return create(deps, tx, { ...given, passwordHash: work.passwordHash }, origin);
    }
    if (isUnverified(account)) return repeat(deps, tx, account, work, origin);
    // A stranger may have typed this password: the owner chooses one with the mailed code.
    if (isCompletable(account) || isVerifiable(account)) await mailCode(deps, tx, account, 'reset', origin);
    else await notifyOwner(deps, tx, account, origin);
    return NOT_REGISTERED;
  });
}

type Hashed = Omit<Registration, 'password'> & { passwordHash: string };

async function create(deps: Deps, tx: Transaction, given: Hashed, origin: Origin): Promise<Outcome> {
  const account = {
    ...given,
    id: newId(),
    locale: given.locale ?? 'en',
    displayName: given.displayName ?? null,
    isService: false,
  };
  const isNew = await accounts.insert(tx, {
    ...account,
    emailKey: emailKey(given.email),
    displayName: given.displayName,
    role: 'User',
    signup: 'complete',
    isEmailVerified: false,
  });
  if (!isNew) return CHANGED;
  countOnCommit(deps, tx, 'registration');
  await outbox.add(tx, [newEvent('account.registered', { UserId: account.id }, origin)]);
  await mailCode(deps, tx, account, 'verify', origin);
  await audit.append(tx, [byAnybody('account.registered', account.id)], origin);
  return { kind: 'done', registered: await accounts.findById(tx, account.id) };
}

/**
 * Mails another code, within the account's limit of mails. If the password is a different one, the registration is
 * marked as contested permanently, even if no mail is sent and while the account is disabled: a stranger may have
 * registered the address before its owner, or after, and no code can tell whose registration it belongs to.
 */
async function repeat(
  deps: Deps,
  tx: Transaction,
  account: AccountWithHash,
  work: PasswordWork,
  origin: Origin,
): Promise<Outcome> {
  if (work.kind !== 'compared' || work.comparedWith !== account.passwordHash) return CHANGED;
  const isContested = account.isContested || !work.isSame;
  if (isContested && !account.isContested) {
    await accounts.markContested(tx, account.id);
    await publishNameChanges(tx, account, origin);
    await audit.append(tx, [byAnybody('account.contested', account.id)], origin);
  }
  const recipient = isContested ? ((await accounts.findById(tx, account.id)) ?? account) : account;
  if (isVerifiable(account)) await mailCode(deps, tx, recipient, 'verify', origin);
  else await notifyOwner(deps, tx, recipient, origin);
  return { kind: 'done', registered: work.isSame ? account : undefined };
}

function notifyOwner(deps: Deps, tx: Transaction, account: Account, origin: Origin): Promise<void> {
  return mailNotice(deps, tx, account, 'account.registration-repeated', { UserId: account.id }, origin);
}

/** Publishes which name fields a registration changed, but not by whom, because nobody has proved to be the owner. */
async function publishNameChanges(tx: Transaction, before: Account, origin: Origin): Promise<void> {
  const after = (await accounts.findById(tx, before.id)) ?? before;
  const changed = differingNames(before, after);
  await outbox.add(tx, accountUpdated(before.id, changed, { origin }));
}

/** Whether somebody registered the account, with a password, and nobody has verified it. */
function isUnverified(account: AccountWithHash): boolean {
  return account.signup === 'complete' && !account.isEmailVerified && account.passwordHash !== null;
}

/** The actor is not the account, because registering does not prove ownership of the address. */
function byAnybody(action: 'account.registered' | 'account.contested', id: string): AuditEntry {
  return { action, actor: { kind: 'System' }, target: { kind: 'Account', id } };
}
