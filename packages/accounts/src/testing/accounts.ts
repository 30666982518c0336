import { randomInt } from 'node:crypto';
import {
  accountAdmin,
  accounts,
  BY_PASSWORD,
  contentAccess,
  inTransaction,
  query,
  throttleKeyText,
} from '@gatehouse/db';
import type { Account, ContentKind, Db, ThrottleKey } from '@gatehouse/db';
import { insertRow } from '@gatehouse/db/testing';
import type { MailContent } from '@gatehouse/events';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { emailKey, type StaticTokenRole } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { mailCodeForAdministrator } from '../checks/mailing.ts';
import { openSession, type TokenSet } from '../session/open-and-end.ts';
import type { TestAccounts } from './open-test-accounts.ts';
import { passwordHashOf } from './settings.ts';

/** Who makes a change that nobody asked for. */
export const BY_SYSTEM = { actor: { kind: 'System' }, origin: { traceId: '0', dueAt: Infinity } } as const;

export interface AccountRef {
  id: string;
  email: string;
}

/** A client address that no other test uses: failures are counted by address in a Redis that outlives the tests. */
export function someAddress(): string {
  const part = (values: number) => randomInt(values).toString(16);
  // Of the prefix for documentation (RFC 9637), with a /48 of its own.
  return `3fff:${part(0x1000)}:${part(0x1_0000)}:${part(0x1_0000)}::1`;
}

export function someEmail(): string {
  return `person.${newId()}@example.com`;
}

/** A verified account with the test password, as if it had been registered. */
export async function newAccount(
  app: TestAccounts,
  overrides: { role?: Account['role']; displayName?: string; email?: string } = {},
): Promise<AccountRef> {
  const person = { id: newId(), email: overrides.email ?? someEmail() };
  const passwordHash = await passwordHashOf(app.passwords);
  const isNew = await inTransaction(app.db, NO_DEADLINE, (tx) =>
    accounts.insert(tx, {
      ...person,
      emailKey: emailKey(person.email),
      displayName: overrides.displayName,
      locale: 'en',
      role: overrides.role ?? 'User',
      signup: 'complete',
      passwordHash,
      isEmailVerified: true,
    }),
  );
  if (!isNew) throw new Error(`${person.email} has an account`);
  return person;
}

/** Logs an account in, beginning after the step in which Core checks the password. */
export async function logIn(
  app: TestAccounts,
  person: Pick<AccountRef, 'id'>,
  overrides: { deviceName?: string; userAgent?: string; address?: string; tag?: string } = {},
): Promise<TokenSet & { sessionId: string }> {
  const account = await accounts.findById(app.db, person.id);
  if (account === undefined) throw new Error('there is no such account');
  const traceId = newId().replaceAll('-', '');
  const origin = { traceId, ...NO_DEADLINE, authentication: BY_PASSWORD, ...overrides };
  const opening = await openSession(app, account, origin, () => Promise.resolve(true));
  if (opening.kind !== 'opened') throw new Error(`no session opens: ${JSON.stringify(opening)}`);
  return { ...opening.tokens, sessionId: opening.sessionId };
}

export async function newContent(
  app: TestAccounts,
  owner?: Pick<AccountRef, 'id'>,
  overrides: { kind?: ContentKind; name?: string } = {},
): Promise<string> {
  const { kind = 'LiveChannel', name = 'The board meets' } = overrides;
  const id = newId();
  await insertRow(app.db, 'content_definition', { id, name, kind, ownerId: owner?.id ?? null });
  return id;
}

/** For operations that may refuse, where they must not. */
export function unexpected(code: string): Error {
  return new Error(`unexpected refusal: ${code}`);
}

export function invitationTokenIn(mails: { content: MailContent }[]): string {
  const content = mails.at(-1)?.content;
  if (content === undefined || !('InvitationToken' in content))
    throw new Error('the latest mail holds no link');
  return content.InvitationToken;
}

export async function newToken(
  { db, staticTokens }: TestAccounts,
  overrides: { role?: StaticTokenRole; name?: string; expiresAt?: Date } = {},
): Promise<{ id: string; Token: string }> {
  const { role = 'Service', name = 'The nightly import', expiresAt = null } = overrides;
  const { token, hash, prefix } = staticTokens.issue();
  const id = newId();
  await insertRow(db, 'api_token', { id, name, prefix, tokenHash: hash, role, expiresAt });
  return { id, Token: token };
}

/** Gives an account a passkey that nobody holds, and returns its id. */
export async function addPasskey({ db }: TestAccounts, accountId: string, name = 'Key'): Promise<string> {
  const id = newId();
  const key = { credentialId: Buffer.from(id), publicKey: Buffer.alloc(0), algorithm: -7 };
  const synced = { isBackupEligible: true, isBackedUp: true };
  await insertRow(db, 'passkey', { id, accountId, name, ...key, ...synced });
  return id;
}

export function grantContent(
  { db }: TestAccounts,
  contentDefinitionId: string,
  accountId: string,
  more: { grantedBy?: string; expiresAt?: Date | null } = {},
) {
  return inTransaction(db, NO_DEADLINE, (tx) =>
    contentAccess.grant(tx, { contentDefinitionId, accountId, grantedBy: undefined, ...more }),
  );
}

export async function mailCodeAsAdministrator(
  app: TestAccounts,
  accountId: string,
  purpose: 'complete' | 'reset',
): Promise<void> {
  await inTransaction(app.db, NO_DEADLINE, async (tx) => {
    const account = await accountAdmin.lock(tx, accountId);
    if (account === undefined) throw new Error('there is no such account');
    await mailCodeForAdministrator(app, tx, account, purpose, { traceId: 'a'.repeat(32) });
  });
  app.relay.wake();
}

export function failuresFor(email: string): ThrottleKey {
  return { kind: 'email', emailKey: emailKey(email) };
}

export async function failuresOf({ db }: { db: Db }, key: ThrottleKey): Promise<number> {
  const sql = 'select failures from login_throttle where email_key = ?';
  return (await query.value<number>(db, sql, [throttleKeyText(key)])) ?? 0;
}

/** Sets the number of failures, with all their waits already over. */
export async function setFailures({ db }: { db: Db }, key: ThrottleKey, failures: number): Promise<void> {
  const sql = `insert into login_throttle (email_key, failures) values (?, ?)
     on conflict (email_key) do update set failures = excluded.failures, blocked_until = null, checks = '{}'`;
  await query(db, sql, [throttleKeyText(key), failures]);
}

/** Gives fixtures their app, which need not be open before they are used. */
export function fixturesOf(app: () => TestAccounts) {
  return <Given extends unknown[], Made>(fixture: (app: TestAccounts, ...given: Given) => Made) =>
    (...given: Given): Made =>
      fixture(app(), ...given);
}

export function accountFixtures(app: TestAccounts) {
  const of = fixturesOf(() => app);
  return { newAccount: of(newAccount), newContent: of(newContent), newToken: of(newToken), login: of(logIn) };
}
