import { emailKey } from '@gatehouse/schema';
import { accountAdmin, accounts, audit, inTransaction, outbox } from '@gatehouse/db';
import type { Account, Actor, Transaction } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import { SIGNUP_CONDITIONS } from '../../checks/login-status.ts';
import type { AccountsDeps, Origin } from '../../deps.ts';

/** An account that is created for somebody else; the email is normalised. */
export interface AccountToCreate {
  email: string;
  /** A password that has been checked; without one, the owner completes the account by registering. */
  password: string | undefined;
  displayName: string | undefined;
  locale: string | undefined;
  /** Guests are created only by invitation. */
  role: Exclude<Account['role'], 'Guest'>;
  /** A program's account; it has a password and the role User. */
  isService?: boolean;
  /** As `distinctGroups` returns them. */
  groups?: readonly string[];
  /** Comes from another system: without a password, the login status is then 6 instead of 5. */
  isMigrated: boolean;
}

/** Who acts on other people's accounts. The installation itself has no origin: no request waits for it. */
export interface By {
  actor: Actor;
  origin: Origin | undefined;
  /** Whether the actor lacks a fresh proof of identity; then what requires one is refused as `unproven`. */
  isUnproven?: boolean;
}

/** Creates an account, in place of an unverified one; `undefined` if the email already has another, pending or not. */
export async function createAccount(
  deps: Pick<AccountsDeps, 'db' | 'passwords'>,
  given: AccountToCreate,
  by: By,
): Promise<string | undefined> {
  const passwords = deps.passwords.from(by.origin?.addressGroup);
  const passwordHash = given.password === undefined ? undefined : await passwords.hash(given.password);
  return inTransaction(deps.db, by.origin ?? NO_DEADLINE, (tx) =>
    insertAccount(tx, { ...given, passwordHash }, by),
  );
}

export async function insertAccount(
  tx: Transaction,
  given: Omit<AccountToCreate, 'password'> & { passwordHash: string | undefined },
  { actor, origin }: By,
): Promise<string | undefined> {
  const { email, displayName, role, passwordHash } = given;
  const id = newId();
  const signup = passwordHash !== undefined ? 'complete' : given.isMigrated ? 'migration' : 'new';
  const removed = await removeUnverified(tx, email, { traceId: origin?.traceId });
  const isNew = await accounts.insert(tx, {
    id,
    email,
    emailKey: emailKey(email),
    displayName,
    locale: given.locale ?? 'en',
    role,
    signup,
    passwordHash,
    isEmailVerified: passwordHash !== undefined,
  });
  if (!isNew) return undefined;
  const { isService = false, groups = [] } = given;
  if (isService || groups.length > 0) await accountAdmin.updateMany(tx, [id], { isService, groups });
  await outbox.add(tx, [newEvent('account.registered', { UserId: id }, { traceId: origin?.traceId })]);
  const status = signup === 'complete' ? undefined : SIGNUP_CONDITIONS[signup];
  const details = {
    Role: role,
    ...(isService && { IsService: true }),
    ...(groups.length > 0 && { Groups: groups }),
    ...(status !== undefined && { LoginStatus: status }),
    ...removed,
  };
  const entries = [{ action: 'account.created', actor, target: { kind: 'Account', id }, details }] as const;
  await audit.append(tx, entries, origin);
  return id;
}

/** Removes a registration of this email that nobody has verified, unless it is that account; returns it for the audit. */
export async function removeUnverified(
  tx: Transaction,
  email: string,
  { traceId, exceptId }: { traceId: string | undefined; exceptId?: string },
): Promise<{ RemovedId?: string }> {
  const UserId = await accountAdmin.removeUnverified(tx, emailKey(email), exceptId);
  if (UserId === undefined) return {};
  await outbox.add(tx, [newEvent('account.deleted', { UserId, Reason: 'unverified' }, { traceId })]);
  return { RemovedId: UserId };
}
