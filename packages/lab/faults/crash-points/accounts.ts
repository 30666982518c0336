import assert from 'node:assert/strict';
import { PASSWORD } from '@gatehouse/accounts/testing';
import { accounts, contentAccess, inTransaction, query, type Account } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { addAccount } from '../../database.ts';
import { tokensIn, type Outcome, type Tokens } from '../../one-call.ts';
import { ask, type World } from './world.ts';

export interface AccountRef {
  id: string;
  email: string;
}

export async function newAccount(world: World, role: Account['role'] = 'User'): Promise<AccountRef> {
  return addAccount(world.database.db, await world.passwords.hash(PASSWORD), role);
}

export async function newChannel(world: World) {
  const owner = await newAccount(world);
  const id = newId();
  const insert = `insert into content_definition (id, name, kind, owner_id) values (?, 'The board meets', 'LiveChannel', ?)`;
  await query(world.database.db, insert, [id, owner.id]);
  return { id, owner, ownerToken: (await logIn(world, owner)).Token };
}

export async function grant(world: World, contentDefinitionId: string, accountId: string): Promise<void> {
  const access = { contentDefinitionId, accountId, grantedBy: undefined };
  await inTransaction(world.database.db, NO_DEADLINE, (tx) => contentAccess.grant(tx, access));
}

export function tryLogin(world: World, { email }: { email: string }, password = PASSWORD) {
  return ask(world.core, '/account/login', { body: { Username: email, Password: password } });
}

export async function logIn(world: World, account: { email: string }, password = PASSWORD): Promise<Tokens> {
  return tokensIn(await tryLogin(world, account, password));
}

export async function activeSessions(world: World, { id }: Pick<AccountRef, 'id'>): Promise<number> {
  const open = 'select 1 from user_session where account_id = ? and ended_at is null';
  const rows = await query(world.database.db, open, [id]);
  return rows.length;
}

export function findAccount(world: World, email: string): Promise<Account | undefined> {
  return accounts.findByEmailKey(world.database.db, email);
}

/** How soon after a 2xx a revocation takes effect everywhere. */
export const PROMISED_SECONDS = 1;

/** Waits until a session's token is refused everywhere. The default is longer, for responses that were lost. */
export async function waitUntilRefused(world: World, token: string, seconds = 3): Promise<void> {
  await eventually(() => isRefused(world, token), seconds);
}

/** Checks that a session ended with the commit, and everywhere within the promised time after the answer. */
export async function endsWith(world: World, token: string, { answer, isCommitted }: End): Promise<void> {
  if (answer !== undefined) await waitUntilRefused(world, token, PROMISED_SECONDS);
  if (isCommitted) await waitUntilRefused(world, token);
  else assert.equal(await isRefused(world, token), false);
}

export interface End {
  /** The response to the client; `undefined` if the service died before it responded. */
  answer: Outcome | undefined;
  /** Whether Postgres received the COMMIT. */
  isCommitted: boolean;
}

export async function isRefused(world: World, token: string): Promise<boolean> {
  const services = [world.core, world.portal];
  const paths = ['/ping/auth', '/account/profile'];
  const statuses = await Promise.all(
    services.map(async ({ url }, index) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${url}${paths[index]}`, { headers })).status;
    }),
  );
  return statuses.every((status) => status === 401);
}
